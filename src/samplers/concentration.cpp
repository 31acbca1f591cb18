// SPDX-License-Identifier: Apache-2.0
#include "samplers/concentration.hpp"

#include <algorithm>
#include <cmath>

namespace medley::samplers {

double draw_concentration(double a, std::size_t clusters, std::size_t rows, const GammaPrior& prior,
                          core::Rng& rng) {
  constexpr double kLeast = 1e-100;  // its logarithm must exist
  const double n = static_cast<double>(rows), k = static_cast<double>(clusters);
  const double one = rng.gamma(a + 1), other = rng.gamma(n);
  const double rate = prior.rate + std::log1p(other / one);  // -log of one / (one + other)
  const double odds = (prior.shape + k - 1) / (n * rate);
  const double shape = prior.shape + k - (rng.uniform() * (1 + odds) < odds ? 0 : 1);
  return std::max(std::exp(rng.log_gamma(shape)) / rate, kLeast);
}

}  // namespace medley::samplers
