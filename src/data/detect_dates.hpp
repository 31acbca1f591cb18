// SPDX-License-Identifier: Apache-2.0
// Columns of dates or times: no family takes them, and as levels nearly every one is its own.
#pragma once

#include <string_view>

#include "data/facts.hpp"

namespace medley::data {

/// Whether a text is a date, a time or both: 2024-03-01, 2024-03, 1/3/24, 01.03.2024, 3/1/2024,
/// 01-Mar-2024, March 1, 2024, 20240301, 14:05, 2:05 pm, 2024-03-01T14:05:00Z. A year is a number.
[[nodiscard]] bool is_date(std::string_view text);

/// Whether every observed value is one.
[[nodiscard]] bool holds_dates(const ColumnSummary& column);

}  // namespace medley::data
