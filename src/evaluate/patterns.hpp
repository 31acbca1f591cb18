// SPDX-License-Identifier: Apache-2.0
// Frequent answer patterns: how often a complete row of answers occurs against n p(pattern). The
// probability is exact for single membership and where the lattice of counts is quick
// (model/exact_rows.hpp), else sampled. Numbers and words do not belong to a pattern: they
// integrate out, since a row's probability is that of its observed cells.
#pragma once

#include "medley/data.hpp"
#include "medley/evaluate.hpp"
#include "model/model_on_data.hpp"

namespace medley::evaluation {

[[nodiscard]] PatternFit pattern_fit(const model::ModelOnData& model, const Dataset& data,
                                     const AbsoluteFitOptions& options);

}  // namespace medley::evaluation
