// SPDX-License-Identifier: Apache-2.0
// The distribution of one cell given the rest of its row: the K components of its feature, mixed by
// the row's expected membership t,
//
//   p(x | rest) = sum_k t_k f(x | component k)        t_k = E[theta_k | rest]
//
// This is exact except for t (mixed membership: from the variational posterior). So is everything
// below.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "families/family.hpp"
#include "model/model.hpp"

namespace medley::predict {

class CellMixture {
 public:
  /// Keeps references to both; `share` is t (K).
  CellMixture(const families::Family& family, const Block& shape, std::size_t feature,
              std::span<const double> share)
      : family_(family), shape_(shape), feature_(feature), share_(share) {}

  /// Levels: the probability of each level.
  [[nodiscard]] std::vector<double> probabilities() const;

  // Numbers:
  [[nodiscard]] families::Moments moments() const;
  /// P(cell <= value).
  [[nodiscard]] double cumulative(double value) const;
  /// The quantile at 0 < q < 1: the smallest value with P(cell <= value) >= q. A whole number for
  /// families of whole numbers.
  [[nodiscard]] double quantile(double q) const;

 private:
  struct Bracket {
    double low, high, spread;
  };
  [[nodiscard]] Bracket bracket(double q) const;

  const families::Family& family_;
  const Block& shape_;
  std::size_t feature_;
  std::span<const double> share_;
};

/// Whether a family of numbers takes only whole numbers.
[[nodiscard]] bool takes_counts(const families::FamilyEntry& entry);

/// One of K components, drawn with the given probabilities.
[[nodiscard]] std::size_t draw_component(std::span<const double> share, core::Rng& rng);

}  // namespace medley::predict
