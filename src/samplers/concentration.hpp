// SPDX-License-Identifier: Apache-2.0
// The concentration of a Dirichlet process given the number of clusters K of n rows, under a prior
// Gamma(shape, rate) (Escobar and West 1995, "Bayesian density estimation and inference using
// mixtures"): with x ~ Beta(a + 1, n), a is drawn from
//
//   Gamma(shape + K, rate - log x)        with odds (shape + K - 1) : n (rate - log x), or else
//   Gamma(shape + K - 1, rate - log x)
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/rng.hpp"
#include "core/safetensors.hpp"
#include "math/dirichlet.hpp"

namespace medley::samplers {

struct GammaPrior {
  double shape = 1, rate = 1;
};

/// `a`: the concentration as it is.
[[nodiscard]] double draw_concentration(double a, std::size_t clusters, std::size_t rows,
                                        const GammaPrior& prior, core::Rng& rng);

// The prior of memberships, alpha = alpha_0 xi with alpha_0 ~ Gamma(shape, rate) and xi uniform on
// the simplex, given how many observations of each person are in each component, memberships
// integrated out (math/dirichlet.hpp):
//
//   log p(alpha_0, xi | n) = (shape - 1) log alpha_0 - rate alpha_0
//                            + sum_i log B(alpha + n_i) / B(alpha) + constant
//
// Two Metropolis walks on the logarithm, where small values are as easily left as large ones:
//
//   alpha_0* = alpha_0 e^(s N(0,1)),          log r += log alpha_0* / alpha_0
//   xi* = softmax(log xi + s N(0, I)),        log r += sum_k log xi*_k / xi_k
//
// Steps are tuned (Robbins and Monro) only while asked to be: a chain that still tunes has another
// equilibrium.

class AlphaWalk {
 public:
  AlphaWalk(const GammaPrior& prior, std::size_t components);

  /// All above 0.
  void set(std::span<const double> alpha);
  [[nodiscard]] double alpha0() const { return alpha0_; }
  [[nodiscard]] const std::vector<double>& xi() const { return xi_; }
  [[nodiscard]] std::vector<double> alpha() const;

  /// One proposal each. `tune`: make the steps longer or shorter afterwards.
  void move_alpha0(const math::CountsOfCounts& counts, core::Rng& rng, bool tune);
  void move_xi(const math::CountsOfCounts& counts, core::Rng& rng, bool tune);

  void save(core::TensorFile& file, const std::string& prefix) const;
  /// InputError if it is no state of such a walk.
  void restore(const core::TensorFile& file, const std::string& prefix);

 private:
  /// The standard deviation of a proposal on the log scale, and how often it was tuned.
  struct Step {
    double size, tuned;
    void tune(double log_r);
  };
  [[nodiscard]] double log_target(double alpha0, std::span<const double> xi,
                                  const math::CountsOfCounts& counts) const;

  GammaPrior prior_;
  double alpha0_;
  std::vector<double> xi_;
  Step alpha0_step_ = {0.3, 0}, xi_step_ = {0.2, 0};
};

}  // namespace medley::samplers
