// SPDX-License-Identifier: Apache-2.0
// Two models of the same columns side by side: which component of one is which of the other, and
// where they differ. For a planted model and its fit, two seeds, two waves of a survey.
//
// The distance of two components is the mean over features of the Hellinger distance between their
// distributions of a cell: 0 the same, 1 nothing in common. Levels and words: exact,
// sqrt(1 - sum_r sqrt(p_r q_r)). Numbers: that of two normals with the same means and variances.
// The components are paired so that the sum of the distances is least (Hungarian method).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/evaluate.hpp"
#include "medley/model.hpp"

namespace medley {

/// One feature under the two components of a pair.
struct ComparedFeature {
  std::string feature;
  std::string level;          ///< the level or word that differs most; empty for numbers
  double a = 0, b = 0;        ///< its probability, or the mean
  double sd_a = 0, sd_b = 0;  ///< numbers only: standard deviations
  double distance = 0;        ///< Hellinger, of the whole feature
};

struct ComparedPair {
  std::size_t a = 0, b = 0;              ///< components, from 0
  double distance = 0;                   ///< mean over features
  std::vector<ComparedFeature> largest;  ///< the features that differ most, most first
};

struct Comparison {
  std::vector<ComparedPair> pairs;          ///< in the order of the first model's components
  std::vector<std::size_t> only_a, only_b;  ///< components without a partner
  double distance = 0;                      ///< mean over the pairs
  std::size_t features = 0;                 ///< compared
  std::vector<std::string> left_out;        ///< features of one model only
};

/// `top`: how many differing features to list per pair (words count as one each). Throws InputError
/// if the models have no feature in common.
[[nodiscard]] Comparison compare(const Model& a, const Model& b, std::size_t top = 5);

/// How far two models say the same of the same rows.
struct MembershipAgreement {
  std::size_t rows = 0;
  /// Mean over rows of sum over pairs of the smaller of the two shares: 1 the same, 0 nothing in
  /// common. The shares of components without a partner agree with nothing.
  double overlap = 0;
  double same_top = 0;              ///< rows whose largest components are partners
  std::vector<double> correlation;  ///< per pair, of the shares over rows; 0 if one is constant
};

/// The memberships (evaluate.hpp) of the same rows under the two models.
[[nodiscard]] MembershipAgreement membership_agreement(const Comparison& comparison,
                                                       const Memberships& a, const Memberships& b);

/// The comparison for people.
[[nodiscard]] std::string describe(const Comparison& comparison, const Model& a, const Model& b);
[[nodiscard]] std::string describe(const MembershipAgreement& agreement,
                                   const Comparison& comparison, const Model& a, const Model& b);

}  // namespace medley
