// SPDX-License-Identifier: Apache-2.0
// From parameters to a model: components ordered by size, every row scored from the documented
// start, training totals, and a summary that says in words what degenerated. All fits end here:
// those of rows that are all there (build_model.cpp), of rows that come some at a time
// (build_streamed_model.cpp), of draws (fit_sampled.cpp).
//
// Rows that come some at a time are all counted: marginals, totals of words and levels, rows and
// observations are exact. A sample of them is scored from the documented start, to the last digit,
// which takes several times as long as learning from a row: with R rows of bound b_i and o_i
// observations (weights included) in the sample, and O observations in all,
//
//   bound = O r,   r = sum b_i / sum o_i
//   its standard error = O sqrt( (1 - R/D) c/(c - 1) sum_runs (sum_{i in run} b_i - r o_i)^2 )
//                        / sum o_i
//
// over the c runs of neighbouring rows that the sample consists of (sorted files have runs of like
// rows). Up to kSampledRows rows are all scored, and the bound is theirs.
//
// Where the last run was interrupted, or scoring is, no row is scored: sizes are those that the
// prior expects, and the bound is no number. Of a stream, the rows counted are then the ones that
// show what the columns are like: the fit is to be taken up again. Tables that were never set
// become those of the population.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engines/checkpoint.hpp"
#include "medley/io.hpp"
#include "model/marginal.hpp"
#include "model/model.hpp"
#include "model/resolve.hpp"

namespace medley::engines {

/// A fit of rows that are all there, or all on one of the ranks.
[[nodiscard]] std::shared_ptr<model::Parts> build_model(const Dataset& data,
                                                        const model::Resolved& resolved,
                                                        EmModel best, const Finished& finished,
                                                        core::Reducer& across = core::alone());

inline constexpr std::size_t kSampledRows = 20'000;

struct StreamToFinish {
  const RowSource& rows;
  const Dataset& like;  ///< rows that show what the columns are like
  const model::Resolved& resolved;
  /// What was updated, or null. Its rows are counted too; components keep its order and names.
  const Model* before = nullptr;
  /// False: it was interrupted before its tables were set.
  bool begun = true;
  /// Told now and then how many rows have been counted. May be empty.
  std::function<void(std::size_t)> counted = {};
};

/// A fit of rows that come some at a time.
[[nodiscard]] std::shared_ptr<model::Parts> build_streamed_model(const StreamToFinish& what,
                                                                 EmModel best,
                                                                 const Finished& finished);

// What the three have in common.

/// What the columns of a block are like as a whole.
struct Population {
  std::unique_ptr<families::Family> marginal;
  std::vector<double> total;  ///< per slot
};
[[nodiscard]] Population population_of(const Dataset& data, std::size_t block,
                                       families::Smoothing smoothing,
                                       core::Reducer& across = core::alone());

/// The parameters and where they come from, every component of the same size and without a name;
/// blocks have the shape of those in `like`. What the tables are as posteriors is kept beside them.
[[nodiscard]] std::shared_ptr<model::Parts> assemble(const model::Resolved& resolved,
                                                     const Dataset& like, EmModel model,
                                                     std::vector<Population> populations);

/// Adds rows and observations to the summary.
void count_rows(const Dataset& data, FitSummary& summary, core::Reducer& across = core::alone());
/// The mean membership, rows x K, of the rows that have something observed.
[[nodiscard]] std::vector<double> mean_shares(const Dataset& data, const std::vector<double>& share,
                                              std::size_t components,
                                              core::Reducer& across = core::alone());
/// What the runs say of a fit.
void summarise_runs(const Finished& finished, FitSummary& summary);
/// Renumbers the components by their sizes, largest first.
void order_by_size(model::Parts& parts);
/// The same, but components that began as the classes of a label (`--init labels`) keep the order
/// of the classes: component k is class k.
void number_components(model::Parts& parts);
/// Puts into a summary that no row was scored: the bound, and the sizes that the prior expects.
void leave_unscored(model::Parts& parts);
/// Makes every component of the population; `blocks` have their marginals.
void take_marginals(std::vector<model::ModelBlock>& blocks);
/// Puts into the summary what degenerated, in words.
void warn(const RunTrace& trace, model::Parts& parts);

}  // namespace medley::engines
