// SPDX-License-Identifier: Apache-2.0
// The vector type of all kernels, for one instruction set.
#if defined(MEDLEY_KERNELS_VECTOR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef MEDLEY_KERNELS_VECTOR_INL
#undef MEDLEY_KERNELS_VECTOR_INL
#else
#define MEDLEY_KERNELS_VECTOR_INL
#endif

#include <hwy/highway.h>

#include "kernels/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A vector type whose size divides the padding, whatever the machine's width.
template <class T>
using Tag = hn::CappedTag<T, kLanes>;

// Loads as many doubles as Tag<double> has, from either precision.
HWY_INLINE hn::Vec<Tag<double>> load_double(const double* from) {
  return hn::LoadU(Tag<double>(), from);
}
HWY_INLINE hn::Vec<Tag<double>> load_double(const float* from) {
  return hn::PromoteTo(Tag<double>(), hn::LoadU(hn::Rebind<float, Tag<double>>(), from));
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
