// SPDX-License-Identifier: Apache-2.0
// A map of the rows in the plane. The distance of two rows is the Hellinger distance of their
// memberships, which is the distance of the points sqrt(t) up to a factor. So the principal
// coordinates of these distances are the principal components of the points,
//
//   y = V' (sqrt(t) - mean),   V the two leading eigenvectors of the covariance of sqrt(t)
//
// real for any data, because the covariance is symmetric. The map also gives the share of the
// variance that the plane shows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace medley::report {

struct RowMap {
  std::vector<double> x, y;            ///< per row
  std::vector<double> pure_x, pure_y;  ///< per component: a row that belongs to it alone
  double shown = 1;                    ///< share of the variance of the points in the plane
};

/// `share` is rows x K. The plane is computed from all given rows.
[[nodiscard]] RowMap row_map(std::span<const double> share, std::size_t components);

}  // namespace medley::report
