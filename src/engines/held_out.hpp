// SPDX-License-Identifier: Apache-2.0
// The score of rows that the model has not learnt from yet, for learning curves: by completion in
// three parts, each predicted from the other two (evaluate/estimators.hpp has the estimator with
// all its trimmings). Rows are inferred about as loosely as when they are learnt from.
#pragma once

#include <cstdint>
#include <optional>

#include "engines/engine.hpp"

namespace medley::engines {

/// Nats per observation; nothing if no row has three. At most the first `most_rows` rows are
/// scored. The model's families are prepared by it.
[[nodiscard]] std::optional<double> held_out_score(EmModel& model, const Dataset& rows,
                                                   std::size_t most_rows, std::uint64_t seed,
                                                   std::size_t threads);

}  // namespace medley::engines
