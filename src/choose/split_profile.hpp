// SPDX-License-Identifier: Apache-2.0
// A start for K + 1 components from a fit with K: its largest component becomes two that share its
// rows, pushed apart in opposite directions by noise in the free parameters (logits, logs).
#pragma once

#include <cstdint>
#include <optional>

#include "medley/model.hpp"

namespace medley::choose {

/// Nothing if a family offers no free parameters, or the prior has more than one number for a
/// component. The result serves as a start alone: it lacks what rows are scored against.
[[nodiscard]] std::optional<Model> split_largest(const Model& model, std::uint64_t seed);

}  // namespace medley::choose
