// SPDX-License-Identifier: Apache-2.0
// Other parameters of a family that are just as possible: its own rows moved within their ranges;
// what it remembers of the data (references) stays.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/rng.hpp"
#include "families/scalars.hpp"

namespace medley::test {

/// The own parameters of numbers, one feature and component: locations move by `step`, what is
/// above 0 by a factor.
inline void perturb_numbers(const families::Scalars& family, std::size_t feature, std::size_t k,
                            core::Rng& rng, double step, std::vector<double>& table) {
  for (std::size_t r = 0; r < family.own(); ++r) {
    const families::ScalarRow& row = family.rows()[r];
    double& p = table[family.at(feature, r) + k];
    const double by = step * rng.normal();
    p = row.least < 0 ? p + by : p * std::exp(by);
    p = std::clamp(p, row.least, row.most > 1 ? row.most : 0.95);  // a probability stays below 1
  }
}

/// The probabilities of a feature: each times a factor, then normalised.
inline void perturb_simplex(const Block& block, std::size_t feature, std::size_t k,
                            std::size_t width, core::Rng& rng, double step,
                            std::vector<double>& table) {
  double sum = 0;
  for (std::size_t s = block.first_slot[feature]; s < block.first_slot[feature + 1]; ++s)
    sum += table[s * width + k] *= std::exp(step * rng.normal());
  for (std::size_t s = block.first_slot[feature]; s < block.first_slot[feature + 1]; ++s)
    table[s * width + k] /= sum;
}

inline void perturb(families::Family& family, const Block& block, core::Rng& rng, double step) {
  std::vector<double> table(family.parameters().begin(), family.parameters().end());
  for (std::size_t f = 0; f < block.features.size(); ++f) {
    for (std::size_t k = 0; k < family.components(); ++k) {
      if (block.encoding == Encoding::real) {
        perturb_numbers(static_cast<const families::Scalars&>(family), f, k, rng, step, table);
      } else {
        perturb_simplex(block, f, k, family.padded(), rng, step, table);
      }
    }
  }
  family.set_parameters(table);
}

/// Tables at random: every feature's probabilities drawn from a Dirichlet, the parameters of
/// numbers perturbed widely.
inline void randomise(families::Family& family, const Block& block, core::Rng& rng, double shape) {
  if (block.encoding == Encoding::real) {
    perturb(family, block, rng, 0.7);
    return;
  }
  std::vector<double> table(family.parameters().begin(), family.parameters().end());
  for (std::size_t f = 0; f < block.features.size(); ++f) {
    for (std::size_t k = 0; k < family.components(); ++k) {
      for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s)
        table[s * family.padded() + k] = rng.gamma(shape) + 1e-3;
      perturb_simplex(block, f, k, family.padded(), rng, 0.0, table);
    }
  }
  family.set_parameters(table);
}

}  // namespace medley::test
