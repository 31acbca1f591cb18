// SPDX-License-Identifier: Apache-2.0
// alpha by the likelihood of the rows, tables held and memberships integrated out. Expected counts
// (engines/collapsed_rows.hpp) do not know how the observations of a row go together:
// responsibilities that know nothing of each other leave some of every component in every row, and
// alpha comes out too large, the more so the more components overlap. Counts that are drawn
// (engines/drawn_alpha.hpp) do know. By Fisher's identity the slope of the log-likelihood is that
// of the complete data,
//
//   d/dalpha_k log p(x_i) = E[digamma(n_ik + alpha_k) - digamma(alpha_k) | x_i]
//                           - digamma(m_i + alpha_0) + digamma(alpha_0),
//
// with counts n_i drawn given the row. After every sweep of the chains the proportions of alpha
// follow Minka's fixed point, unless only some of the rows are drawn, too few to know them better
// than expected counts of all rows do. Their sum, which that would only creep towards where rows
// leave much open, takes a Newton step in log alpha_0: with g_i = sum_k alpha_k times the above
//
//   log alpha_0 += sum_i g_i / sum_i E[g_i | x_i]^2
//
// whose denominator is the information of the rows (Berndt, Hall, Hall, Hausman 1974); E[g_i | x_i]
// is a mean over sweeps. What is left at the end is the mean of log alpha over the later sweeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "medley/data.hpp"
#include "medley/options.hpp"

namespace medley::engines {

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

/// From the alpha that is given, of `mode` fitted or symmetric; the chains move on. The same bits
/// at any number of threads.
[[nodiscard]] std::vector<double> drawn_alpha(RowDraws& draws, std::span<const double> alpha,
                                              AlphaMode mode, std::size_t threads);

}  // namespace medley::engines
