// SPDX-License-Identifier: Apache-2.0
// The concentration of a Dirichlet process given the number of clusters K of n rows, under a prior
// Gamma(shape, rate) (Escobar and West 1995, "Bayesian density estimation and inference using
// mixtures"): with x ~ Beta(a + 1, n), a is drawn from
//
//   Gamma(shape + K, rate - log x)        with odds (shape + K - 1) : n (rate - log x), or else
//   Gamma(shape + K - 1, rate - log x)
#pragma once

#include <cstddef>

#include "core/rng.hpp"

namespace medley::samplers {

struct GammaPrior {
  double shape = 1, rate = 1;
};

/// `a`: the concentration as it is.
[[nodiscard]] double draw_concentration(double a, std::size_t clusters, std::size_t rows,
                                        const GammaPrior& prior, core::Rng& rng);

}  // namespace medley::samplers
