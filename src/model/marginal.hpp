// SPDX-License-Identifier: Apache-2.0
// The marginal of every column: its family with one component for all rows. It is the trivial model
// that scores are compared with, and what reports call the population.
#pragma once

#include <memory>
#include <vector>

#include "families/family.hpp"
#include "medley/data.hpp"

namespace medley::model {

/// Without smoothing the marginals still get a little, so that no cell of a new file is impossible.
inline constexpr double kMarginalSmoothing = 0.01;

/// Fits the marginals of one block to rows that come some at a time.
class MarginalFit {
 public:
  /// `like`: rows that show what the columns are like; they are not counted.
  MarginalFit(const Dataset& like, std::size_t block);
  void add(const Dataset& rows);
  /// Instead of `like`, before any rows: what an earlier marginal was fitted to, `totals` being the
  /// slot totals it goes with, under that smoothing. False: its family does not offer it.
  [[nodiscard]] bool recall(const families::Family& earlier, const std::vector<double>& totals,
                            families::Smoothing smoothing);
  [[nodiscard]] std::unique_ptr<families::Family> take(families::Smoothing smoothing);
  /// Per slot: its (weighted) cells so far.
  [[nodiscard]] const std::vector<double>& slot_totals() const { return total_; }

 private:
  std::size_t block_;
  std::vector<std::uint32_t> first_slot_;
  std::unique_ptr<families::Family> family_;
  std::vector<double> sum_;  // of the family's statistics
  std::vector<double> total_;
};

[[nodiscard]] std::unique_ptr<families::Family> fit_marginal(const Dataset& data,
                                                             const Block& block,
                                                             families::Smoothing smoothing);

/// Per slot: its (weighted) cells, the totals of levels or words.
[[nodiscard]] std::vector<double> slot_totals(const Dataset& data, const Block& block);

}  // namespace medley::model
