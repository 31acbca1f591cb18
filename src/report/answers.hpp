// SPDX-License-Identifier: Apache-2.0
// The answers (feature = level) by which a profile differs from the population.
//
// An answer is listed if it is more typical of the profile than of the population. Answers are
// ranked by the evidence for that: the observations the profile has of the feature, times the
// divergence of "gives this answer, or not" between profile (p) and population (q),
//
//   n [p log(p / q) + (1 - p) log((1 - p) / (1 - q))],
//
// with p first drawn towards q by kCaution imagined observations. In a full table this is the order
// of the divergence itself; in a rating log a movie that two people saw does not lead the list.
#pragma once

#include <cstddef>
#include <vector>

#include "model/model.hpp"

namespace medley::report {

/// Observations' worth of "as in the population" added when ranking.
inline constexpr double kCaution = 5;
/// Nats below which a feature counts as being like the population (a share of 50 % that moves by 4
/// points).
inline constexpr double kAlike = 0.003;

struct Answer {
  std::size_t feature = 0, slot = 0;
  double probability = 0;  ///< in the profile
  double population = 0;   ///< share in the training data
  double evidence = 0;     ///< nats, as ranked
  [[nodiscard]] double lift() const { return probability / population; }
};

struct Answers {
  std::vector<Answer> shown;  ///< most distinctive first
  std::size_t differing = 0;  ///< further features that differ, not shown
  std::size_t alike = 0;      ///< features about as in the population
};

/// The `top` most distinctive answers of a component in a block of encoding levels. `size` is the
/// component's share of all memberships.
[[nodiscard]] Answers distinctive_answers(const model::ModelBlock& block, std::size_t component,
                                          double size, std::size_t top);

}  // namespace medley::report
