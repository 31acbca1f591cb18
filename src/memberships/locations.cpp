// SPDX-License-Identifier: Apache-2.0
#include "memberships/locations.hpp"

#include <algorithm>
#include <cmath>

#include "math/symmetric.hpp"

namespace medley::memberships {
namespace {

// The product a b; a has `inner` columns.
std::vector<double> times(std::span<const double> a, std::size_t inner, std::span<const double> b) {
  if (inner == 0) return {};
  const std::size_t rows = a.size() / inner, columns = b.size() / inner;
  std::vector<double> out(rows * columns, 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < inner; ++j) {
      const double factor = a[i * inner + j];
      for (std::size_t c = 0; c < columns; ++c) out[i * columns + c] += factor * b[j * columns + c];
    }
  }
  return out;
}

// a^T a
std::vector<double> squares(std::span<const double> a, std::size_t columns) {
  const std::vector<double> ones(columns == 0 ? 0 : a.size() / columns, 1.0);
  return math::weighted_squares(a, columns, columns, ones);
}

}  // namespace

std::vector<double> rescaled(std::span<const double> locations,
                             std::span<const double> second_moment, double strength) {
  const auto q = static_cast<std::size_t>(std::lround(std::sqrt(second_moment.size())));
  const std::vector<double> root =
      math::of_eigenvalues(second_moment, q, [](double x) { return std::sqrt(std::max(0.0, x)); });
  const std::vector<double> wide = times(locations, q, root);
  // g(x) / x of the covariance, so its root of the locations.
  const std::vector<double> shrink =
      math::of_eigenvalues(squares(wide, q), q, [strength](double x) {
        return std::sqrt(2 / (1 + std::sqrt(1 + 4 * std::max(0.0, x) / strength)));
      });
  return times(wide, q, shrink);
}

}  // namespace medley::memberships
