// SPDX-License-Identifier: Apache-2.0
// Dates: which columns hold them, and their year, month or weekday as a feature.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/problems.hpp"
#include "data/column_facts.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

// Columns of dates or times: no family takes them, and as levels nearly every one is its own.

/// Whether a text is a date, a time or both: 2024-03-01, 2024-03, 1/3/24, 01.03.2024, 3/1/2024,
/// 01-Mar-2024, March 1, 2024, 20240301, 14:05, 2:05 pm, 2024-03-01T14:05:00Z. A year is a number.
[[nodiscard]] bool is_date(std::string_view text);

/// Whether every observed value is one.
[[nodiscard]] bool holds_dates(const ColumnSummary& column);

// Dates as features: the year (a number), the month or the day of the week (levels) in place of the
// date. Asked for with --column NAME=year, and kept in the schema.

/// Whether a word of `--column NAME=WORD` asks for a part of a date.
[[nodiscard]] bool asks_for_date_part(const std::string& word);

/// Puts the part in the place of every date of the column: "1988", "03 Mar" or "2 Tue". What is no
/// date, or has no such part, is a problem; so are dates such as 3/4/2024 throughout, of which
/// nobody can tell the month.
void take_date_part(RawColumn& column, const std::string& part, const std::string& where,
                    core::Problems& problems);

/// Does so for every column that an option or, if one is given, the schema says.
void take_date_parts(std::vector<RawSource>& sources, const ReadOptions& options);

}  // namespace medley::data
