// SPDX-License-Identifier: Apache-2.0
// How rows were sampled: primary sampling units (whole clusters, or the rows themselves) within
// strata. Every later stage of sampling is inside a unit, so the spread between units within
// strata holds all of it (ultimate clusters). A cluster's name counts within its stratum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "medley/data.hpp"

namespace medley::evaluation {

struct SurveyDesign {
  static constexpr std::uint32_t kLeftOut = std::numeric_limits<std::uint32_t>::max();

  std::vector<std::uint32_t> unit;     ///< per row; kLeftOut where the row's weight is 0
  std::vector<std::uint32_t> stratum;  ///< per unit
  /// Per unit: how many units like it there are. 1, but where rows are units and weights are
  /// frequencies, the row's weight.
  std::vector<double> copies;
  std::vector<double> units_in;  ///< per stratum, with their copies
  bool given = false;            ///< strata or clusters were named
  bool clustered = false;

  [[nodiscard]] std::size_t strata() const { return units_in.size(); }
  [[nodiscard]] double units() const;
  /// Strata with a single unit: nothing in them tells how much units differ.
  [[nodiscard]] std::size_t lonely() const;
  /// Units less strata, and at least 1.
  [[nodiscard]] double degrees_of_freedom() const;

  /// The variance of sum_i u_i over such samples, u the share of each row in a (linearised)
  /// estimate:  sum_h n_h / (n_h - 1) sum_{c in h} (U_c - mean_h U)^2,  U_c the sum of a unit's
  /// rows. A lonely unit is held against the mean of all units. NaN with less than two units.
  [[nodiscard]] double variance(std::span<const double> u) const;
};

/// The columns must have been kept; empty names: none. Throws InputError if one is not there, or a
/// row has no value in it.
[[nodiscard]] SurveyDesign survey_design(const Dataset& data, const std::string& strata,
                                         const std::string& cluster);

// One bootstrap sample as factors of the rows' weights. Without a design: as many draws as there
// are rows, with replacement. With one (Rao and Wu 1988): n_h - 1 of the n_h units of stratum h,
// with replacement, and each draw counts n_h / (n_h - 1) times, so that a sample's variance is the
// unbiased one even with two units in a stratum. The only unit of a stratum is always in.

/// Per row: the factor of its weight in sample `replicate` of that seed; 0: not in it.
[[nodiscard]] std::vector<double> resampled(const SurveyDesign& design, std::uint64_t seed,
                                            std::size_t replicate);

}  // namespace medley::evaluation
