// SPDX-License-Identifier: Apache-2.0
// Vectors of numbers stored in half precision (kernels/half.hpp) or in float, for one instruction
// set. Included once per instruction set by the kernels built on it; do not include it elsewhere.
#if defined(MEDLEY_KERNELS_HALF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef MEDLEY_KERNELS_HALF_INL
#undef MEDLEY_KERNELS_HALF_INL
#else
#define MEDLEY_KERNELS_HALF_INL
#endif

#include <hwy/highway.h>

#include "kernels/half.hpp"
#include "kernels/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using HalfTag = hn::Rebind<hwy::float16_t, Tag<float>>;

HWY_INLINE hn::Vec<Tag<float>> load_kept(const float* from) {
  return hn::LoadU(Tag<float>(), from);
}

HWY_INLINE hn::Vec<Tag<float>> load_kept(const Half* from) {
  return hn::PromoteTo(Tag<float>(),
                       hn::LoadU(HalfTag(), reinterpret_cast<const hwy::float16_t*>(from)));
}

// Without an instruction for it, DemoteTo truncates 13 bits; adding half of the last remaining bit
// first rounds to nearest.
HWY_INLINE hn::Vec<Tag<float>> before_demotion(hn::Vec<Tag<float>> x) {
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_ARCH_ARM
  return x;
#else
  const Tag<float> d;
  const hn::RebindToUnsigned<Tag<float>> bits;
  return hn::BitCast(d, hn::Add(hn::BitCast(bits, x), hn::Set(bits, 0x1000U)));
#endif
}

// Stores x and returns the stored value.
HWY_INLINE hn::Vec<Tag<float>> keep(hn::Vec<Tag<float>> x, float* to) {
  hn::StoreU(x, Tag<float>(), to);
  return x;
}

HWY_INLINE hn::Vec<Tag<float>> keep(hn::Vec<Tag<float>> x, Half* to) {
  const auto rounded = hn::DemoteTo(HalfTag(), before_demotion(x));
  hn::StoreU(rounded, HalfTag(), reinterpret_cast<hwy::float16_t*>(to));
  return hn::PromoteTo(Tag<float>(), rounded);
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
