// SPDX-License-Identifier: Apache-2.0
// Sums, quantiles, and which of many tests are more than chance.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace medley::math {

// Plain sums over vectors, in order: the same bits everywhere.

[[nodiscard]] inline double sum(std::span<const double> a) {
  double total = 0;
  for (const double value : a) total += value;
  return total;
}

/// sum_i a_i b_i; both are equally long.
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

// The quantile of a sample: between the two values that lie about it, in proportion.

/// `sorted`: ascending, at least one; 0 <= p <= 1.
[[nodiscard]] double quantile(std::span<const double> sorted, double p);

// Many tests at once: which are more than chance (Benjamini and Hochberg 1995, "Controlling the
// false discovery rate"). Of those counted, a share `rate` at most is expected to be chance; if all
// are, nothing is counted with probability 1 - rate.

/// The level at which p values count: p_(i) for the largest i with p_(i) <= rate i / m, p
/// ascending. Below every p if none counts.
[[nodiscard]] double false_discovery_level(std::vector<double> p, double rate);

}  // namespace medley::math
