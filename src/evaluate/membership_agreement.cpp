// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/task.hpp"

#include "core/problems.hpp"
#include "medley/evaluate.hpp"

namespace medley {
namespace {

std::size_t largest(const Memberships& memberships, std::size_t row) {
  const double* share = memberships.row(row);
  return static_cast<std::size_t>(std::max_element(share, share + memberships.components) - share);
}

double mean(const Memberships& memberships, std::size_t component) {
  double sum = 0;
  for (std::size_t row = 0; row < memberships.rows(); ++row) sum += memberships.row(row)[component];
  return sum / static_cast<double>(memberships.rows());
}

double share_correlation(const Memberships& a, std::size_t k, const Memberships& b, std::size_t l) {
  const double mean_a = mean(a, k), mean_b = mean(b, l);
  double both = 0, squares_a = 0, squares_b = 0;
  for (std::size_t row = 0; row < a.rows(); ++row) {
    core::stop_if_asked();
    const double x = a.row(row)[k] - mean_a, y = b.row(row)[l] - mean_b;
    both += x * y;
    squares_a += x * x;
    squares_b += y * y;
  }
  return squares_a > 0 && squares_b > 0 ? both / std::sqrt(squares_a * squares_b) : 0.0;
}

}  // namespace

MembershipAgreement membership_agreement(const Comparison& comparison, const Memberships& a,
                                         const Memberships& b) {
  if (a.rows() != b.rows() || a.rows() == 0) {
    throw InputError(
        {"memberships",
         "are of " + std::to_string(a.rows()) + " and " + std::to_string(b.rows()) + " rows",
         "both models must be applied to the same rows"});
  }
  MembershipAgreement out;
  out.rows = a.rows();
  for (std::size_t row = 0; row < out.rows; ++row) {
    core::stop_if_asked();
    const std::size_t top_a = largest(a, row), top_b = largest(b, row);
    for (const ComparedPair& pair : comparison.pairs) {
      out.overlap += std::min(a.row(row)[pair.a], b.row(row)[pair.b]);
      out.same_top += pair.a == top_a && pair.b == top_b ? 1 : 0;
    }
  }
  out.overlap /= static_cast<double>(out.rows);
  out.same_top /= static_cast<double>(out.rows);
  for (const ComparedPair& pair : comparison.pairs)
    out.correlation.push_back(share_correlation(a, pair.a, b, pair.b));
  return out;
}

}  // namespace medley
