// SPDX-License-Identifier: Apache-2.0
// A Markov chain over the components z of one row's observations, its membership integrated out:
//
//   p(z | x) ~ prod_o l_o,z_o B(alpha + n(z)) / B(alpha)
//
// sweep     every observation in turn: p(z_o = k | rest) ~ (alpha_k + n_k without o) l_ok
// relabel   all observations of one component together, to any component the row does not use
// renew     the whole row: drawn afresh observation by observation, each given those before it,
//           and accepted with probability min(1, w(z') / w(z)), w = the product of the normalisers
//
// At small alpha a row is nearly all in one component, and single steps hardly ever leave it: that
// is what the last two are for. w(z') alone is an unbiased estimate of p(x).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "medley/data.hpp"
#include "model/cell_table.hpp"
#include "model/row_solver.hpp"

namespace medley::model {

class RowChain {
 public:
  using Cells = std::span<const std::uint32_t>;  ///< of the table; repeated as often as observed
  using Components = std::span<std::uint16_t>;   ///< z, one per cell

  RowChain(const CellTable& table, std::span<const double> alpha);

  /// Draws z afresh; returns log w(z).
  double draw(Cells cells, core::Rng& rng, Components z);
  /// Returns log w of what was proposed, taken or not.
  double renew(Cells cells, core::Rng& rng, Components z);
  void relabel(Cells cells, core::Rng& rng, Components z);
  /// Adds weight p(z_o = k | rest) at the time of each step to sums[cell][k], cells x `width`;
  /// unless that is null.
  void sweep(Cells cells, core::Rng& rng, Components z, double weight, std::size_t width,
             double* sums);
  /// How many observations each component has; of the row treated last.
  [[nodiscard]] std::span<const double> counts() const { return count_; }

 private:
  double sequential(Cells cells, std::size_t first, core::Rng* rng, Components z);
  void count(Components z);
  std::size_t pick(double total, core::Rng& rng) const;

  const CellTable& table_;
  std::span<const double> alpha_;
  double alpha_sum_;
  std::vector<double> count_, weight_;  // K
  std::vector<std::uint16_t> proposed_;
};

// The log-likelihood of rows under mixed membership where the exact one is out of reach: the mean
// of the weights of fresh draws of the components (model/row_chain.hpp), unbiased for p(x) of each
// row. Its logarithm is too low by about half the variance.

struct SampledLikelihood {
  double log_likelihood = 0;  ///< of all rows, weighted
  double standard_error = 0;
};

/// The families have been prepared; cells must have been observed whole numbers of times. The same
/// bits at any number of threads.
[[nodiscard]] SampledLikelihood sampled_likelihood(const EStepModel& model, const Dataset& data,
                                                   std::size_t draws, std::uint64_t seed,
                                                   std::size_t threads);

}  // namespace medley::model
