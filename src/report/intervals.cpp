// SPDX-License-Identifier: Apache-2.0
#include "report/intervals.hpp"

#include <algorithm>
#include <cmath>

#include "math/descriptive.hpp"
#include "model/model.hpp"

namespace medley::report {
namespace {

constexpr std::size_t kMostDraws = 200;
constexpr double kTail = 0.05;

}  // namespace

Intervals::Intervals(const Model& model) : profiles_(model.components()) {
  const model::Draws* draws = model.parts().draws.get();
  if (draws == nullptr) return;
  for (const std::size_t d : model::spread_draws(*draws, kMostDraws)) {
    draw_.push_back(model::draw_model(model, d));
    const std::vector<double>& size = draw_.back().sizes();
    auto& weight = weight_.emplace_back(draws->draw[d].onto);
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] *= size[i / profiles_];
  }
}

template <class Value>
std::optional<Interval> Intervals::of(std::size_t profile, const Value& value) const {
  std::vector<double> values;
  for (std::size_t d = 0; d < draw_.size(); ++d) {
    double sum = 0, total = 0;
    for (std::size_t j = 0; j < draw_[d].components(); ++j) {
      const double weight = weight_[d][j * profiles_ + profile];
      if (weight <= 0) continue;
      total += weight;
      sum += weight * value(draw_[d].parts(), j);
    }
    if (total > 0) values.push_back(sum / total);
  }
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  return Interval{math::quantile(values, kTail), math::quantile(values, 1 - kTail)};
}

std::optional<Interval> Intervals::of_slot(std::size_t block, std::size_t slot,
                                           std::size_t profile) const {
  return of(profile, [&](const model::Parts& parts, std::size_t j) {
    return parts.blocks[block].probability(slot, j);
  });
}

std::optional<Interval> Intervals::of_mean(std::size_t block, std::size_t feature,
                                           std::size_t profile) const {
  return of(profile, [&](const model::Parts& parts, std::size_t j) {
    return parts.blocks[block].family->numbers()->moments(feature, j).mean;
  });
}

}  // namespace medley::report
