// SPDX-License-Identifier: Apache-2.0
// The marginal of every column: its family with one component for all rows. It is the trivial model
// with which scores are compared; reports call it the population.
#pragma once

#include <memory>
#include <vector>

#include "families/family.hpp"
#include "medley/data.hpp"

namespace medley::model {

/// Marginals get a little smoothing even if the model has none, so that no cell of a new file is
/// impossible.
inline constexpr double kMarginalSmoothing = 0.01;

/// Fits the marginals of one block to rows that arrive in pieces.
class MarginalFit {
 public:
  /// `like`: rows that show the properties of the columns; they are not counted.
  MarginalFit(const Dataset& like, std::size_t block);
  void add(const Dataset& rows);
  /// Call it before adding rows, to continue from an earlier marginal with its slot totals and
  /// smoothing. Returns false if the family does not support it.
  [[nodiscard]] bool recall(const families::Family& earlier, const std::vector<double>& totals,
                            families::Smoothing smoothing);
  [[nodiscard]] std::unique_ptr<families::Family> take(families::Smoothing smoothing);
  /// Adds what the other processes have counted.
  void sum(core::Reducer& across);
  /// Per slot: its (weighted) number of cells so far.
  [[nodiscard]] const std::vector<double>& slot_totals() const { return total_; }

 private:
  std::size_t block_;
  std::vector<std::uint32_t> first_slot_;
  std::unique_ptr<families::Family> family_;
  std::vector<double> sum_;  // of statistics
  std::vector<double> total_;
};

/// `across`: who else has rows of the same columns.
[[nodiscard]] std::unique_ptr<families::Family> fit_marginal(const Dataset& data,
                                                             const Block& block,
                                                             families::Smoothing smoothing,
                                                             core::Reducer& across = core::alone());

/// Per slot: its (weighted) number of cells, the totals of levels or words.
[[nodiscard]] std::vector<double> slot_totals(const Dataset& data, const Block& block);

}  // namespace medley::model
