// SPDX-License-Identifier: Apache-2.0
// The traits by which a profile differs from the population: answers that are more typical of it,
// and numbers that lie elsewhere.
//
// Traits are ranked by the evidence for the difference: the observations the profile has of the
// feature, times the divergence between profile and population. For an answer with share p in the
// profile and q in the population, and for a number with mean m against M and variance V,
//
//   n [p log(p / q) + (1 - p) log((1 - p) / (1 - q))]    n/2 (m - M)^2 / V
//
// (how the spread differs counts for whether a number is like the population, not for its rank: a
// column with many zeros has profiles without spread, and that is news about the column), with the
// profile first drawn towards the population by kCaution imagined observations. In a full
// table this is the order of the divergence itself; in a rating log a movie that two people saw
// does not lead the list.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "model/model.hpp"

namespace medley::report {

// What reports call a level: its label where the schema has one, else the level as written.

[[nodiscard]] inline const std::string& label_of(const Feature& feature, std::size_t level) {
  return feature.labels.empty() ? feature.levels[level] : feature.labels[level];
}

/// Observations' worth of "as in the population" added when ranking.
inline constexpr double kCaution = 5;
/// Nats below which a feature counts as being like the population (a share of 50 % that moves by 4
/// points).
inline constexpr double kAlike = 0.003;

struct Trait {
  const model::ModelBlock* block = nullptr;
  std::size_t feature = 0, slot = 0;
  double evidence = 0;                        ///< nats, as ranked
  double probability = 0, population = 0;     ///< an answer: its share in the profile, in the data
  families::Moments here = {}, overall = {};  ///< a number
  [[nodiscard]] bool is_number() const { return block->shape.encoding == Encoding::real; }
  [[nodiscard]] double lift() const { return probability / population; }
  /// How far the mean lies from that of the population, in its standard deviations.
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

/// Per feature of a block the largest evidence that some component differs in it; `sizes` are the
/// components' shares of all memberships.
[[nodiscard]] std::vector<double> feature_evidence(const model::ModelBlock& block,
                                                   std::span<const double> sizes);

}  // namespace medley::report
