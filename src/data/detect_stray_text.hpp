// SPDX-License-Identifier: Apache-2.0
// A column of numbers that a few cells keep from being one: "-", "n/a", "unknown", "1,000".
#pragma once

#include <string>

#include "data/facts.hpp"

namespace medley::data {

/// `all but 3 of 900 cells are numbers: "-", "n/a"`, with what to do; empty if it is not so.
[[nodiscard]] std::string stray_text(const ColumnSummary& column);

}  // namespace medley::data
