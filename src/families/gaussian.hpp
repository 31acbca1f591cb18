// SPDX-License-Identifier: Apache-2.0
// Gaussian: real numbers, spread evenly to both sides of a mean.
//
//   log f(x | component k) = -1/2 log(2 pi var_k) - (x - mu_k)^2 / (2 var_k)
//
// Use it for measurements. No variance falls below a thousandth of the column's: the largest
// likelihood under that constraint is reached at max(variance, floor), so EM still never lowers its
// objective. Smoothing does nothing here. lognormal.cpp is the same on the logarithms.
#pragma once

#include "families/scalars.hpp"

namespace medley::families {

class Gaussian : public Scalars {
 public:
  Gaussian(const FamilyEntry& entry, const Block& shape, std::size_t components);

 protected:
  [[nodiscard]] Terms terms(double x) const override { return {0, x, 0}; }
  [[nodiscard]] Coefficients coefficients(const Pair& p) const override;
  [[nodiscard]] Pair maximum(const Pair& average, const Pair& reference) const override;
  [[nodiscard]] Moments moments_of(const Pair& p) const override { return {p[0], p[1]}; }
  [[nodiscard]] double below(const Pair& p, double x) const override;
  [[nodiscard]] double drawn(const Pair& p, core::Rng& rng) const override;
  [[nodiscard]] std::array<Coefficients, 2> slopes(const Pair& p) const override {
    return {{{0, 1, 0}, {-0.5, 0, 0.5 / p[1]}}};
  }
  [[nodiscard]] Range range(std::size_t row, const Pair& reference) const override;
};

}  // namespace medley::families
