// SPDX-License-Identifier: Apache-2.0
// Sums, quantiles, and the control of false discoveries in many tests.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace medley::math {

// Plain sums over vectors, in order, so that the bits are the same everywhere.

[[nodiscard]] inline double sum(std::span<const double> a) {
  double total = 0;
  for (const double value : a) total += value;
  return total;
}

/// sum_i a_i b_i for vectors of equal length.
[[nodiscard]] inline double dot(std::span<const double> a, std::span<const double> b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

/// -sum_k p_k log p_k of a distribution, in nats.
[[nodiscard]] inline double entropy(std::span<const double> share) {
  double h = 0;
  for (const double p : share) h -= p > 0 ? p * std::log(p) : 0.0;
  return h;
}

// Quantiles of a sample, by linear interpolation between the two nearest values.

/// `sorted`: ascending, at least one value; 0 <= p <= 1.
[[nodiscard]] double quantile(std::span<const double> sorted, double p);

// Multiple tests (Benjamini and Hochberg 1995, "Controlling the false discovery rate"). Of the
// rejected hypotheses an expected share of at most `rate` is true; if all are true, none is
// rejected with probability 1 - rate.

/// The level up to which p values are significant: p_(i) for the largest i with p_(i) <= rate i /
/// m, p ascending. Below every p if none is significant.
[[nodiscard]] double false_discovery_level(std::vector<double> p, double rate);

}  // namespace medley::math
