// SPDX-License-Identifier: Apache-2.0
// Intervals for the profiles of a sampled model: 5 % and 95 % of its draws. The value of a draw
// under profile k is the mean over the draw's components, weighted by their sizes and by the part
// of each that belongs to k (model/draws.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "medley/model.hpp"

namespace medley::report {

struct Interval {
  double low = 0, high = 0;
};

class Intervals {
 public:
  explicit Intervals(const Model& model);

  /// For the probability of a slot; nothing if the model is not sampled.
  [[nodiscard]] std::optional<Interval> of_slot(std::size_t block, std::size_t slot,
                                                std::size_t profile) const;
  /// For the mean of a feature of numbers.
  [[nodiscard]] std::optional<Interval> of_mean(std::size_t block, std::size_t feature,
                                                std::size_t profile) const;

 private:
  template <class Value>
  [[nodiscard]] std::optional<Interval> of(std::size_t profile, const Value& value) const;

  std::vector<Model> draw_;
  std::vector<std::vector<double>> weight_;  // per draw: components x profiles
  std::size_t profiles_;
};

}  // namespace medley::report
