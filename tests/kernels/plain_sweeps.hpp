// SPDX-License-Identifier: Apache-2.0
// A row of cells and the digamma fixed point by plain loops in double, for the tests of sweeps.
#pragma once

#include <cstddef>
#include <vector>

#include "core/rng.hpp"
#include "kernels/reference.hpp"

namespace medley::kernels {

struct Row {
  std::vector<std::vector<double>> rows;
  std::vector<double> weight, prior, factor, state;
};

inline Row random_row(std::size_t count, std::size_t components, double start) {
  core::Rng rng(count * 1000 + components, 3);
  Row row;
  for (std::size_t o = 0; o < count; ++o) {
    row.weight.push_back(1.0 + static_cast<double>(rng.below(4)));
    auto& likelihood = row.rows.emplace_back();
    for (std::size_t k = 0; k < components; ++k) likelihood.push_back(rng.uniform());
  }
  for (std::size_t k = 0; k < components; ++k) {
    row.prior.push_back(0.05 + 0.1 * rng.uniform());
    row.factor.push_back(0.2 + 0.8 * rng.uniform());
    row.state.push_back(start * (0.5 + rng.uniform()));
  }
  return row;
}

// `sweeps` steps of the fixed point by plain loops; the state that results.
inline std::vector<double> by_plain_loops(const Row& row, bool factors, std::size_t sweeps) {
  std::vector<double> state = row.state;
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    std::vector<double> e = reference::exp_digamma(state);
    for (std::size_t k = 0; factors && k < e.size(); ++k) e[k] *= row.factor[k];
    const auto found = reference::pass(row.rows, row.weight, e);
    for (std::size_t k = 0; k < e.size(); ++k) state[k] = row.prior[k] + found.out[k];
  }
  return state;
}

}  // namespace medley::kernels
