// SPDX-License-Identifier: Apache-2.0
// The traits by which a profile differs from the population: answers that are more typical of it,
// and numbers with a different mean.
//
// Traits are ranked by the evidence for the difference: the profile's observations of the feature,
// times the divergence between profile and population. For an answer with share p in the profile
// and q in the population, and for a number with mean m against M and variance V,
//
//   n [p log(p / q) + (1 - p) log((1 - p) / (1 - q))]    n/2 (m - M)^2 / V
//
// with the profile first drawn towards the population by kCaution imagined observations. (The
// difference in spread decides whether a number is like the population, but does not count for its
// rank: a column with many zeros has profiles without spread, which says more about the column than
// about a profile.) In a full table this is the order of the divergence itself; in a rating log a
// movie that two people saw does not lead the list.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "model/model.hpp"

namespace medley::report {

// What reports call a level: its label if the schema has one, else the level as written.

[[nodiscard]] inline const std::string& label_of(const Feature& feature, std::size_t level) {
  return feature.labels.empty() ? feature.levels[level] : feature.labels[level];
}

/// Imagined observations, distributed as in the population, that are added for the ranking.
inline constexpr double kCaution = 5;
/// A feature whose divergence is below this many nats counts as like the population (a share of 50
/// % that moves by 4 points).
inline constexpr double kAlike = 0.003;

struct Trait {
  const model::ModelBlock* block = nullptr;
  std::size_t feature = 0, slot = 0;
  double evidence = 0;                        ///< nats; the ranking
  double probability = 0, population = 0;     ///< of an answer: share in the profile, in the data
  families::Moments here = {}, overall = {};  ///< of a number
  [[nodiscard]] bool is_number() const { return block->shape.encoding == Encoding::real; }
  [[nodiscard]] double lift() const { return probability / population; }
  /// Distance of the mean from that of the population, in the population's standard deviations.
  [[nodiscard]] double distance() const;
};

struct Traits {
  std::vector<Trait> shown;   ///< most distinctive first
  std::size_t differing = 0;  ///< further features that differ, not shown
  std::size_t alike = 0;      ///< features about as in the population
};

/// The `top` most distinctive traits of a component in blocks of levels and numbers. `size` is the
/// component's share of all memberships.
[[nodiscard]] Traits distinctive_traits(std::span<const model::ModelBlock* const> blocks,
                                        std::size_t component, double size, std::size_t top);

/// Per feature of a block, the largest evidence over the components that it differs from the
/// population; `sizes` are the components' shares of all memberships.
[[nodiscard]] std::vector<double> feature_evidence(const model::ModelBlock& block,
                                                   std::span<const double> sizes);

}  // namespace medley::report
