// SPDX-License-Identifier: Apache-2.0
// A Markov chain over the components z of one row's observations, with its membership integrated
// out:
//
//   p(z | x) ~ prod_o l_o,z_o B(alpha + n(z)) / B(alpha)
//
// sweep     every observation in turn: p(z_o = k | rest) ~ (alpha_k + n_k without o) l_ok
// relabel   moves all observations of one component to any component that the row does not use
// renew     redraws the whole row, observation by observation, each given those before it, and
//           accepts with probability min(1, w(z') / w(z)), w = the product of the normalisers
//
// At small alpha a row is nearly all in one component, and single steps hardly ever leave it;
// relabel and renew do. w(z') alone is an unbiased estimate of p(x).
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
  /// Returns log w of the proposal, accepted or not.
  double renew(Cells cells, core::Rng& rng, Components z);
  void relabel(Cells cells, core::Rng& rng, Components z);
  /// Makes a sweep. If sums is not null, adds weight p(z_o = k | rest), as at each step, to
  /// sums[cell][k], cells x `width`.
  void sweep(Cells cells, core::Rng& rng, Components z, double weight, std::size_t width,
             double* sums);
  /// The number of observations of each component, for the last row processed.
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

// The log-likelihood of rows under mixed membership where the exact one is too expensive: the mean
// of the weights of fresh draws of the components, unbiased for p(x) of each row. Its logarithm is
// too low by about half the variance.

struct SampledLikelihood {
  double log_likelihood = 0;  ///< of all rows, weighted
  double standard_error = 0;
};

/// The families must have been prepared, and the weights of cells must be whole numbers. The same
/// bits at any number of threads.
[[nodiscard]] SampledLikelihood sampled_likelihood(const EStepModel& model, const Dataset& data,
                                                   std::size_t draws, std::uint64_t seed,
                                                   std::size_t threads);

}  // namespace medley::model
