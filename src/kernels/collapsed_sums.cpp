// SPDX-License-Identifier: Apache-2.0
#include "kernels/collapsed_sums.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/collapsed_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// must come after highway.h
#include "kernels/half-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = Tag<float>;
using Vector = hn::Vec<Floats>;

HWY_INLINE unsigned long times_of(double weight) {
  return weight < 1.5 ? 1UL : static_cast<unsigned long>(std::lround(weight));
}

// x^times, times at least 1, by squaring.
HWY_INLINE Vector power(Vector x, unsigned long times) {
  if (times == 1) return x;
  Vector product = hn::Set(Floats(), 1.0F);
  for (; times > 0; times /= 2) {
    if (times % 2 == 1) product = hn::Mul(product, x);
    x = hn::Mul(x, x);
  }
  return product;
}

HWY_INLINE void add(Vector phi, double weight, float* count) {
  const Floats d;
  hn::StoreU(hn::MulAdd(hn::Set(d, static_cast<float>(weight)), phi, hn::LoadU(d, count)), d,
             count);
}

HWY_INLINE void add(Vector phi, double weight, double* count) {
  const Tag<double> d;
  HWY_ALIGN float lanes[kLanes];
  hn::StoreU(phi, Floats(), lanes);
  for (std::size_t k = 0; k < hn::Lanes(Floats()); k += hn::Lanes(d)) {
    const auto sum =
        hn::MulAdd(hn::Set(d, weight), load_double(lanes + k), hn::LoadU(d, count + k));
    hn::StoreU(sum, d, count + k);
  }
}

template <class Kept, class Count>
HWY_INLINE void sum_cell(const Kept* HWY_RESTRICT phi, double weight, std::size_t padded,
                         Count* HWY_RESTRICT count, float* HWY_RESTRICT none) {
  const Floats d;
  const unsigned long times = times_of(weight);
  for (std::size_t k = 0; k < padded; k += hn::Lanes(d)) {
    const Vector f = load_kept(phi + k);
    add(f, weight, count + k);
    const Vector absent = power(hn::Sub(hn::Set(d, 1.0F), f), times);
    hn::StoreU(hn::Mul(hn::LoadU(d, none + k), absent), d, none + k);
  }
}

template <class Kept>
HWY_INLINE void sum_row_of(const CollapsedCells& cells, const Kept* phi, std::size_t padded,
                           float* count, float* none) {
  for (std::size_t o = 0; o < cells.count; ++o, phi += padded)
    sum_cell(phi, static_cast<double>(cells.weight[o]), padded, count, none);
}

template <class Kept>
HWY_INLINE void sum_slots_of(const CollapsedCells& cells, const Kept* phi, double row_weight,
                             std::size_t first_slot, std::size_t padded, double* count,
                             float* none) {
  for (std::size_t o = 0; o < cells.count; ++o, phi += padded) {
    const std::size_t at = (cells.slot[o] - first_slot) * padded;
    sum_cell(phi, row_weight * static_cast<double>(cells.weight[o]), padded, count + at, none + at);
  }
}

void sum_row_any(const CollapsedCells& cells, std::size_t padded, float* count, float* none) {
  if (cells.half_phi != nullptr) {
    sum_row_of(cells, cells.half_phi, padded, count, none);
  } else {
    sum_row_of(cells, cells.phi, padded, count, none);
  }
}

void sum_slots_any(const CollapsedCells& cells, double row_weight, std::size_t first_slot,
                   std::size_t padded, double* count, float* none) {
  if (cells.half_phi != nullptr) {
    sum_slots_of(cells, cells.half_phi, row_weight, first_slot, padded, count, none);
  } else {
    sum_slots_of(cells, cells.phi, row_weight, first_slot, padded, count, none);
  }
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medley::kernels {

HWY_EXPORT(sum_row_any);
HWY_EXPORT(sum_slots_any);

void sum_row(const CollapsedCells& cells, std::size_t padded, float* count, float* none) {
  HWY_DYNAMIC_DISPATCH(sum_row_any)(cells, padded, count, none);
}

void sum_slots(const CollapsedCells& cells, double row_weight, std::size_t first_slot,
               std::size_t padded, double* count, float* none) {
  HWY_DYNAMIC_DISPATCH(sum_slots_any)(cells, row_weight, first_slot, padded, count, none);
}

}  // namespace medley::kernels
#endif
