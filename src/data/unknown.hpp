// SPDX-License-Identifier: Apache-2.0
// What a schema does not know, by name: the most frequent words, items and levels.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

/// Adds the most frequent of a block's unknown names, kNamedUnknown at most, the most frequent
/// first, then by name; those with count 0 are none.
void add_unknown(const std::string& block, std::vector<std::pair<std::string, double>> counts,
                 std::vector<Unknown>& to);

}  // namespace medley::data
