// SPDX-License-Identifier: Apache-2.0
// Rows in the plane. The distance of two rows is the Hellinger distance of their memberships, which
// is that of the points sqrt(t) up to a factor; principal coordinates of those distances are then
// the principal components of the points,
//
//   y = V' (sqrt(t) - mean),   V the two leading eigenvectors of the covariance of sqrt(t)
//
// of a symmetric matrix: real whatever the data. What the plane leaves out is told with it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace medley::report {

struct RowMap {
  std::vector<double> x, y;            ///< per row
  std::vector<double> pure_x, pure_y;  ///< per component: a row that is all its own
  double shown = 1;                    ///< share of the variance of the points that the plane has
};

/// `share` is rows x K. The plane is that of all rows given.
[[nodiscard]] RowMap row_map(std::span<const double> share, std::size_t components);

}  // namespace medley::report
