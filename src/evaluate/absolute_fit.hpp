// SPDX-License-Identifier: Apache-2.0
// What the model does not explain: figures of the data beside those of data sets drawn from the
// model.
#pragma once

#include "medley/data.hpp"
#include "medley/evaluate.hpp"
#include "model/model.hpp"

namespace medley::evaluation {

// Figures of the data beside those of data sets drawn from the model: each row gets a membership
// from the prior, and every number and word of it is drawn anew; what is missing stays missing, and
// a document keeps its length. Of words the top ones of the topics are looked at.

/// The families have been prepared for draws. Blocks of words with counts that are not whole are
/// left out.
[[nodiscard]] PredictiveFit predictive_checks(const model::Parts& parts, const Dataset& data,
                                              const AbsoluteFitOptions& options);

/// Whether every count is a whole number.
[[nodiscard]] bool whole_counts(const Block& block);

}  // namespace medley::evaluation
