// SPDX-License-Identifier: Apache-2.0
// Gaussian: real numbers, spread evenly to both sides of a mean.
//
//   log f(x | component k) = -1/2 log(2 pi var_k) - (x - mu_k)^2 / (2 var_k)
//
// Use it for measurements. No variance falls below a floor, a share of the column's usual variance
// (usual_variance.hpp): the largest likelihood under that constraint is reached at
// max(variance, floor), so EM still never lowers its objective. Smoothing does nothing here.
// lognormal.cpp is the same on the logarithms.
//
// The posterior is normal-inverse-gamma: 1/var ~ Gamma(a, b), mu ~ N(m, var/kappa). Its means are m
// and b/a = 1 / E(1/var), its strengths kappa and a, and it starts from m = the column's mean,
// kappa = 0.1, a = 2, b = a quarter of the column's variance (a - 1 = 1 time).
#pragma once

#include "families/scalars.hpp"

namespace medley::families {

class Gaussian : public Scalars {
 public:
  Gaussian(const FamilyEntry& entry, const Block& shape, std::size_t components);

 protected:
  [[nodiscard]] Terms terms(double x) const override { return {0, x, 0}; }
  [[nodiscard]] Coefficients coefficients(const Pair& p) const override;
  [[nodiscard]] Pair maximum(const Pair& average, const Reference& reference) const override;
  [[nodiscard]] Moments moments_of(const Pair& p) const override { return {p[0], p[1]}; }
  [[nodiscard]] double below(const Pair& p, double x) const override;
  [[nodiscard]] double drawn(const Pair& p, core::Rng& rng) const override;
  [[nodiscard]] std::array<Coefficients, 2> slopes(const Pair& p) const override {
    return {{{0, 1, 0}, {-0.5, 0, 0.5 / p[1]}}};
  }
  [[nodiscard]] Range range(std::size_t row, const Reference& reference) const override;
  [[nodiscard]] Belief prior(const Reference& reference) const override;
  [[nodiscard]] Belief learnt(const Belief& before, const Sums& sums,
                              const Reference& reference) const override;
  [[nodiscard]] Coefficients expected(const Belief& belief) const override;
  [[nodiscard]] double divergence(const Belief& belief, const Belief& from) const override;
};

}  // namespace medley::families
