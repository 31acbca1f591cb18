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

// A vector type that divides the padding whatever the machine's width.
template <class T>
using Tag = hn::CappedTag<T, kLanes>;

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
