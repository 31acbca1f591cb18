// SPDX-License-Identifier: Apache-2.0
// The score of rows by completion: the observations of every row are dealt at random into parts (a
// word that occurs three times is three observations); a part is scored given the others,
//
//   sum over observations o of the part of  log sum_k E[theta_k | other parts] l_ok
//
// Two parts, one of them scored (half), or three parts, each scored in turn (threefold). Rows with
// fewer observations than parts are left out. The score is of what follows from having seen a part
// of a row; it is not the likelihood of the whole row, and a little pessimistic for long parts,
// because the membership is not updated while they are predicted.
#pragma once

#include "evaluate/estimators.hpp"

namespace medley::evaluation {

[[nodiscard]] Estimates complete_rows(const model::ModelOnData& model, const Dataset& data,
                                      const EvaluateOptions& options);

/// Data dealt into `parts` data sets of the same rows and blocks.
[[nodiscard]] std::vector<Dataset> deal(const Dataset& data, std::size_t parts, std::uint64_t seed);

}  // namespace medley::evaluation
