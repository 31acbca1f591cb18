// SPDX-License-Identifier: Apache-2.0
// Dates as features: the year (a number), the month or the day of the week (levels) in place of the
// date. Asked for with --column NAME=year, and kept in the schema.
#pragma once

#include <string>
#include <vector>

#include "core/problems.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

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
