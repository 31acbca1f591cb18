// SPDX-License-Identifier: Apache-2.0
// A selection as JSON: what select.json ends with and `medley select --json` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "medley/select.hpp"

namespace medley::choose {

[[nodiscard]] nlohmann::ordered_json selection_json(const Selection& selection);
/// Reads that back, all but `clusters`, which the folder holds apart. Throws an exception of the
/// standard library or of JSON where something is missing.
[[nodiscard]] Selection selection_from_json(const nlohmann::ordered_json& json);
[[nodiscard]] nlohmann::ordered_json clusters_json(const SelectionClusters& clusters);

}  // namespace medley::choose
