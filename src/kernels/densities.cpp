// SPDX-License-Identifier: Apache-2.0
#include "kernels/densities.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/densities.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// must come after highway.h
#include <hwy/contrib/math/math-inl.h>

#include "kernels/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::Vec<Tag<double>>;

template <DensityForm form>
HWY_INLINE Doubles log_density(const double* constant, std::size_t padded, Doubles t1, Doubles t2) {
  const Tag<double> d;
  const auto first = hn::LoadU(d, constant + padded);
  const auto second = hn::LoadU(d, constant + 2 * padded);
  Doubles log = hn::LoadU(d, constant);
  if constexpr (form == DensityForm::curved) {
    const auto off = hn::Sub(t1, first);
    log = hn::MulAdd(hn::Mul(second, off), off, log);
  } else {
    log = hn::MulAdd(second, t2, hn::MulAdd(first, t1, log));
  }
  return hn::Max(log, hn::Set(d, kLeastLogDensity));
}

// Below this exp is 0, not a denormal.
constexpr double kLeastExponent = -700.0;

// exp(log - largest) where `counts`, else 0. The padding may exceed the largest; it is clamped to 0
// before it could overflow.
template <class Mask>
HWY_INLINE Doubles scaled(Doubles log, Doubles largest, Mask counts) {
  const Tag<double> d;
  const auto least = hn::Set(d, kLeastExponent);
  const auto below = hn::Sub(log, largest);
  const auto within = hn::Min(hn::Max(below, least), hn::Zero(d));
  return hn::IfThenElseZero(hn::And(counts, hn::Gt(below, least)), hn::Exp(d, within));
}

// The padding is left out of the maximum and ends as 0.
template <DensityForm form>
HWY_INLINE void densities_of(const DensityTable& table, const DensityCells& cells, double* out,
                             double* top) {
  const Tag<double> d;
  const std::size_t lanes = hn::Lanes(d), count = table.components, width = padded(count);
  const auto last = hn::FirstN(d, (count - 1) % lanes + 1), all = hn::FirstN(d, lanes);
  const std::size_t whole = (count - 1) / lanes * lanes;  // where the last vector begins
  const auto none = hn::Set(d, kLeastLogDensity);
  for (std::size_t o = 0; o < cells.count; ++o, out += width) {
    const double* constant = table.coefficients + cells.slot[o] * 3 * width;
    const auto t1 = hn::Set(d, cells.t1[o]);
    const auto t2 = form == DensityForm::linear ? hn::Set(d, cells.t2[o]) : hn::Zero(d);
    const auto end = log_density<form>(constant + whole, width, t1, t2);
    auto most = hn::IfThenElse(last, end, none);
    for (std::size_t k = 0; k < whole; k += lanes) {
      const auto log = log_density<form>(constant + k, width, t1, t2);
      hn::StoreU(log, d, out + k);
      most = hn::Max(most, log);
    }
    const auto largest = hn::MaxOfLanes(d, most);
    for (std::size_t k = 0; k < whole; k += lanes)
      hn::StoreU(scaled(hn::LoadU(d, out + k), largest, all), d, out + k);
    hn::StoreU(scaled(end, largest, last), d, out + whole);
    for (std::size_t k = whole + lanes; k < width; k += lanes) hn::StoreU(hn::Zero(d), d, out + k);
    top[o] = hn::GetLane(largest);
  }
}

void scaled_densities_double(const DensityTable& table, const DensityCells& cells, double* out,
                             double* top) {
  if (table.form == DensityForm::curved) {
    densities_of<DensityForm::curved>(table, cells, out, top);
  } else {
    densities_of<DensityForm::linear>(table, cells, out, top);
  }
}

// One vector of components after the other, its three sums in registers.
void add_moments_double(const MomentCells& cells, double* sums) {
  const Tag<double> d;
  for (std::size_t k = 0; k < cells.padded; k += hn::Lanes(d)) {
    double* const zeroth = sums + k;
    double* const first = zeroth + cells.padded;
    double* const second = first + cells.padded;
    auto sum0 = hn::LoadU(d, zeroth), sum1 = hn::LoadU(d, first), sum2 = hn::LoadU(d, second);
    for (std::size_t o = 0; o < cells.count; ++o) {
      auto r = hn::Mul(hn::Set(d, cells.weight[o]),
                       hn::LoadU(d, cells.vectors + cells.row[o] * cells.padded + k));
      if (cells.density != nullptr)
        r = hn::Mul(r, hn::LoadU(d, cells.density + o * cells.padded + k));
      sum0 = hn::Add(sum0, r);
      sum1 = hn::MulAdd(r, hn::Set(d, cells.u1[o]), sum1);
      sum2 = hn::MulAdd(r, hn::Set(d, cells.u2[o]), sum2);
    }
    hn::StoreU(sum0, d, zeroth);
    hn::StoreU(sum1, d, first);
    hn::StoreU(sum2, d, second);
  }
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medley::kernels {

HWY_EXPORT(scaled_densities_double);
HWY_EXPORT(add_moments_double);

void scaled_densities(const DensityTable& table, const DensityCells& cells, double* out,
                      double* top) {
  HWY_DYNAMIC_DISPATCH(scaled_densities_double)(table, cells, out, top);
}

void add_moments(const MomentCells& cells, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_moments_double)(cells, sums);
}

}  // namespace medley::kernels
#endif
