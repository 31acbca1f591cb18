// SPDX-License-Identifier: Apache-2.0
// Draws of how many observations of a row each component holds, likelihoods and alpha given and the
// membership integrated out: a Markov chain for every row, which goes from observation to
// observation,
//
//   p(z_o = k | all others) ~ (alpha_k + n_ik without o) l_ok,
//
// as model/row_chain.hpp does, here in float and with likelihoods l that every cell has to itself:
// those that made a table can be told what they would be without them. A cell of weight w is w
// observations, and what is left of a weight that is not whole is one that counts so much less.
//
// Not more than about kMostObservations are drawn: rows evenly spread over all. A row that stands
// for several has several chains. Random numbers are a function of seed, sweep and chain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "medley/data.hpp"

namespace medley::engines {

/// The cells of a row, one after the other.
struct RowCells {
  std::vector<float> likelihood;  ///< cells x padded K, up to a factor per cell
  std::vector<float> weight;      ///< cells
};

class RowDraws {
 public:
  static constexpr double kMostObservations = 50'000;
  using Cells = std::function<void(std::size_t row, RowCells& out)>;

  /// `cells` appends those of a row.
  RowDraws(const Dataset& data, std::size_t components, const Cells& cells, std::uint64_t seed);

  /// Moves all chains on; the first time it draws every observation given those before it.
  void sweep(std::span<const double> alpha, std::size_t threads);

  /// Whether all rows are drawn.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] std::size_t chains() const { return row_weight_.size(); }
  /// n_ik of a chain, and their sum.
  [[nodiscard]] std::span<const float> counts(std::size_t chain) const {
    return std::span(count_).subspan(chain * padded_, components_);
  }
  [[nodiscard]] double size(std::size_t chain) const { return size_[chain]; }
  /// How many rows it stands for.
  [[nodiscard]] double weight(std::size_t chain) const { return row_weight_[chain]; }

 private:
  void add_chain(std::size_t first_cell);
  void move(std::size_t chain, std::span<float> held, std::span<float> part);

  std::size_t components_, padded_;
  std::uint64_t seed_;
  std::size_t sweeps_ = 0;
  bool complete_ = true;
  RowCells cells_;                       // of all rows that are drawn
  std::vector<std::uint64_t> start_;     // chains + 1: where a chain's observations begin
  std::vector<std::uint32_t> cell_, z_;  // per observation
  std::vector<float> weight_;            // per observation: 1, or what is left of a weight
  std::vector<double> size_, row_weight_;
  std::vector<float> count_;  // chains x padded K
};

}  // namespace medley::engines
