// SPDX-License-Identifier: Apache-2.0
// The assignment problem: pair rows with columns, each at most once and as many pairs as possible,
// so that the sum of the costs is least.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace medley::math {

inline constexpr std::size_t kUnassigned = std::numeric_limits<std::size_t>::max();

/// `cost` is rows x columns, row-major, finite. Returns the column of every row; kUnassigned for
/// rows without a column, if there are more rows than columns. Hungarian method by shortest
/// augmenting paths with potentials: O(min(rows, columns)^2 max(rows, columns)).
[[nodiscard]] std::vector<std::size_t> assign(std::span<const double> cost, std::size_t rows,
                                              std::size_t columns);

}  // namespace medley::math
