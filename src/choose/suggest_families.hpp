// SPDX-License-Identifier: Apache-2.0
// The families of one column of numbers, ranked by held-out log-likelihood.
#pragma once

#include <string>
#include <vector>

#include "data/catalogue.hpp"
#include "medley/select.hpp"

namespace medley::choose {

/// Observed cells: the number, and its text for families of levels.
struct NumericCells {
  std::vector<double> number;
  std::vector<std::string> text;
};

/// Fills in cells, step and families; `facts` are those of the whole column. Families that every
/// value suits, and families of counts from a shift of 1 where no value is below 1.
[[nodiscard]] ColumnRanking rank_families(const NumericCells& cells, const data::ColumnFacts& facts,
                                          const SuggestOptions& options);

}  // namespace medley::choose
