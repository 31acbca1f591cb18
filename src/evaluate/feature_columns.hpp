// SPDX-License-Identifier: Apache-2.0
// Levels and numbers feature by feature, to look at two features at a time: who gave both, and
// what. Words are left out. Two features take steps in the order of their cells, so the work of all
// pairs is bounded by taking the features with the most cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "memberships/membership.hpp"
#include "model/model.hpp"

namespace medley::evaluation {

struct FeatureColumn {
  std::size_t block = 0, feature = 0;
  const Feature* about = nullptr;    ///< name and levels; in the data
  std::vector<std::uint32_t> row;    ///< per cell, ascending
  std::vector<std::uint32_t> level;  ///< per cell, within the feature; levels only
  std::vector<double> value;         ///< per cell; numbers only
  [[nodiscard]] bool is_number() const { return about->levels.empty(); }
};

struct FeatureColumns {
  std::vector<FeatureColumn> column;  ///< in the order of the data
  std::size_t left_out = 0;           ///< features that would take too much work, or have one level
};

/// As many features as stay below `most_steps` for all their pairs, most observed first: the cells
/// of both, K steps for every pair of levels, and the cells of a number for every level beside it.
/// Refers to the data.
[[nodiscard]] FeatureColumns feature_columns(const Dataset& data, std::size_t components,
                                             double most_steps);

/// Calls use(cell of a, cell of b) for every row that has both. Repeated cells pair up in order.
template <class Use>
void for_common_rows(const FeatureColumn& a, const FeatureColumn& b, Use&& use) {
  std::size_t i = 0, j = 0;
  while (i < a.row.size() && j < b.row.size()) {
    if (a.row[i] == b.row[j]) {
      use(i++, j++);
    } else if (a.row[i] < b.row[j]) {
      ++i;
    } else {
      ++j;
    }
  }
}

}  // namespace medley::evaluation
