// SPDX-License-Identifier: Apache-2.0
// One bootstrap sample as factors of the rows' weights. Without a design: as many draws as there
// are rows, with replacement. With one (Rao and Wu 1988): n_h - 1 of the n_h units of stratum h,
// with replacement, and each draw counts n_h / (n_h - 1) times, so that a sample's variance is the
// unbiased one even with two units in a stratum. The only unit of a stratum is always in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluate/survey_design.hpp"

namespace medley::evaluation {

/// Per row: the factor of its weight in sample `replicate` of that seed; 0: not in it.
[[nodiscard]] std::vector<double> resampled(const SurveyDesign& design, std::uint64_t seed,
                                            std::size_t replicate);

}  // namespace medley::evaluation
