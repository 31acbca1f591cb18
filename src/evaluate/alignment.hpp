// SPDX-License-Identifier: Apache-2.0
// Which component of one model is which of another: the features both have, the distance of two
// components over them (medley/evaluate.hpp says which), and the pairing with the least sum.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace medley::evaluation {

/// Two levels that are the same, by slot. kNoSlot: the other model does not know the level.
struct SlotPair {
  std::size_t a, b;
};
inline constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);

/// A feature that both models have. Points into both.
struct CommonFeature {
  const model::ModelBlock* a;
  const model::ModelBlock* b;
  std::size_t feature_a, feature_b;
  std::vector<SlotPair> slots;  ///< levels and words; all of both
};

struct CommonFeatures {
  std::vector<CommonFeature> both;
  std::vector<std::string> left_out;  ///< names of features that one model alone has
};

/// Throws InputError if there are none.
[[nodiscard]] CommonFeatures common_features(const model::Parts& a, const model::Parts& b);

/// Probability of a slot; 0 for kNoSlot.
[[nodiscard]] double probability(const model::ModelBlock& block, std::size_t slot,
                                 std::size_t component);
/// Mean and variance of a number; a variance of 0 would be at distance 1 from everything, so none
/// is below a millionth of the column's.
[[nodiscard]] families::Moments comparable_moments(const model::ModelBlock& block,
                                                   std::size_t feature, std::size_t component);
/// Hellinger distance of one feature under component k of the first model and l of the second.
[[nodiscard]] double distance(const CommonFeature& feature, std::size_t k, std::size_t l);

struct Alignment {
  std::size_t rows = 0, columns = 0;  ///< components of the first and the second model
  std::vector<double> distance;       ///< rows x columns: mean over the common features
  std::vector<std::size_t> partner;   ///< per row; math::kUnassigned where it has none

  [[nodiscard]] double at(std::size_t k, std::size_t l) const { return distance[k * columns + l]; }
};

[[nodiscard]] Alignment align(const std::vector<CommonFeature>& features, std::size_t components_a,
                              std::size_t components_b);

}  // namespace medley::evaluation
