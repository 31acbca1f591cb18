// SPDX-License-Identifier: Apache-2.0
// One sweep of the digamma fixed point (kernels/digamma_sweeps.hpp) for one instruction set.
// Included once per instruction set by the kernels built on it; do not include it elsewhere.
#if defined(MEDLEY_KERNELS_SWEEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef MEDLEY_KERNELS_SWEEP_INL
#undef MEDLEY_KERNELS_SWEEP_INL
#else
#define MEDLEY_KERNELS_SWEEP_INL
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "kernels/digamma_sweeps.hpp"
#include "kernels/pass-inl.hpp"
#include "kernels/special-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE T largest_of(const T* x, std::size_t padded) {
  const Tag<T> d;
  auto largest = hn::LoadU(d, x);
  for (std::size_t k = hn::Lanes(d); k < padded; k += hn::Lanes(d))
    largest = hn::Max(largest, hn::LoadU(d, x + k));
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

// Without scaling if some state is large enough for its weight to be; else all could be zero.
HWY_INLINE void weights_of(const SweepRow<float>& row, const float* state, float* e) {
  const Tag<float> d;
  if (largest_of(state, row.padded) < 1.0F) {
    exp_digamma_of(state, row.components, row.padded, e);
    return;
  }
  for (std::size_t k = 0; k < row.padded; k += hn::Lanes(d))
    hn::StoreU(exp_digamma_float_of(hn::LoadU(d, state + k)), d, e + k);
}

template <class T>
HWY_INLINE void multiply(const T* factor, std::size_t padded, T* e) {
  const Tag<T> d;
  for (std::size_t k = 0; k < padded; k += hn::Lanes(d))
    hn::StoreU(hn::Mul(hn::LoadU(d, factor + k), hn::LoadU(d, e + k)), d, e + k);
}

// state = prior + counts; returns the largest change.
template <class T>
HWY_INLINE T renew(const T* prior, const T* counts, std::size_t padded, T* state) {
  const Tag<T> d;
  auto change = hn::Zero(d);
  for (std::size_t k = 0; k < padded; k += hn::Lanes(d)) {
    const auto next = hn::Add(hn::LoadU(d, prior + k), hn::LoadU(d, counts + k));
    change = hn::Max(change, hn::Abs(hn::Sub(next, hn::LoadU(d, state + k))));
    hn::StoreU(next, d, state + k);
  }
  return hn::GetLane(hn::MaxOfLanes(d, change));
}

// The rest of a sweep after its weights are known. Returns the largest change, or a negative number
// if a norm was too small.
template <class T>
HWY_INLINE T move_of(const SweepRow<T>& row, T least, const SweepState<T>& out) {
  const T smallest =
      pass_of(row.rows, row.weight, row.count, row.padded, out.e, out.norm, out.counts);
  if (!(smallest > least)) return T{-1};
  return renew(row.prior, out.counts, row.padded, out.state);
}

template <class T>
HWY_INLINE T sweep_of(const SweepRow<T>& row, T least, const SweepState<T>& out) {
  weights_of(row, out.state, out.e);
  if (row.factor != nullptr) multiply(row.factor, row.padded, out.e);
  return move_of(row, least, out);
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
