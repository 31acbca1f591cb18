// SPDX-License-Identifier: Apache-2.0
#include "kernels/half.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/half.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// must come after highway.h
#include "kernels/half-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void to_half_of(const float* from, std::size_t count, Half* to) {
  for (std::size_t i = 0; i < count; i += hn::Lanes(Tag<float>()))
    keep(load_kept(from + i), to + i);
}

void from_half_of(const Half* from, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; i += hn::Lanes(Tag<float>()))
    keep(load_kept(from + i), to + i);
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medley::kernels {

HWY_EXPORT(to_half_of);
HWY_EXPORT(from_half_of);

void to_half(const float* from, std::size_t count, Half* to) {
  HWY_DYNAMIC_DISPATCH(to_half_of)(from, count, to);
}

void from_half(const Half* from, std::size_t count, float* to) {
  HWY_DYNAMIC_DISPATCH(from_half_of)(from, count, to);
}

}  // namespace medley::kernels
#endif
