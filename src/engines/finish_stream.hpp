// SPDX-License-Identifier: Apache-2.0
// As finish.hpp, for rows that come some at a time. All rows are counted: marginals, totals of
// words and levels, rows and observations are exact. A sample of them is scored from the documented
// start, to the last digit, which takes several times as long as learning from a row: with R rows
// of bound b_i and o_i observations (weights included) in the sample, and O observations in all,
//
//   bound = O r,   r = sum b_i / sum o_i
//   its standard error = O sqrt( (1 - R/D) c/(c - 1) sum_runs (sum_{i in run} b_i - r o_i)^2 )
//                        / sum o_i
//
// over the c runs of neighbouring rows that the sample consists of (sorted files have runs of like
// rows). Up to kScoredRows rows are all scored, and the bound is theirs.
//
// Interrupted, before or in the middle of this, none are scored (finish.hpp), and those counted are
// the ones that show what the columns are like: the fit is to be taken up again.
#pragma once

#include <functional>
#include <memory>

#include "engines/engine.hpp"
#include "engines/finish.hpp"
#include "medley/io.hpp"

namespace medley::engines {

inline constexpr std::size_t kScoredRows = 20'000;

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

[[nodiscard]] std::shared_ptr<model::Parts> finish_stream(const StreamToFinish& what, EmModel best,
                                                          const Finished& finished);

}  // namespace medley::engines
