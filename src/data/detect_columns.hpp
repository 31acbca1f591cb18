// SPDX-License-Identifier: Apache-2.0
// What columns look like: codes for "no answer", ids, numbers with stray texts, a log of ratings.
#pragma once

#include <string>
#include <vector>

#include "data/column_facts.hpp"
#include "data/raw.hpp"

namespace medley::data {

// Numbers that look like codes for "no answer" (9, 99, -1, 999 ...) rather than values. They are
// proposed, never applied: only the person knows.

/// What one would call missing in a column, and why.
struct SuspectedCodes {
  std::vector<std::string> texts;  ///< as written; empty: none is suspected
  std::string why;                 ///< "99 occurs 41 times, far from the other values (1 to 5)"
};

/// Looks at the ends of a column of numbers for usual codes that occur repeatedly and stand apart:
/// beyond a wide gap, the only negative ones, or (7, 8, 9) past a run of answers 1, 2, 3 ...
[[nodiscard]] SuspectedCodes suspected_codes(const ColumnSummary& column);

// Columns that name the rows instead of describing them.

/// Why a column is taken for an id; empty if it is not. Taken for one: text that is different in
/// every cell, UUIDs, whole numbers that number the rows (up or down by 1 in file order; years do
/// not), numbers written with leading zeros and all different, and what is called an id and is
/// nearly always different. Fewer than kFewestForId cells are no evidence.
inline constexpr std::size_t kFewestForId = 10;
[[nodiscard]] std::string why_id(const CodedCells& cells, const ColumnSummary& column);

// A column of numbers that a few cells keep from being one: "-", "n/a", "unknown", "1,000".

/// `all but 3 of 900 cells are numbers: "-", "n/a"`, with what to do; empty if it is not so.
[[nodiscard]] std::string stray_text(const ColumnSummary& column);

// A table of three columns that is rather a log of (row, item, value).

/// Whether the first two columns of three name pairs that never repeat, while both names do, often.
[[nodiscard]] bool is_rating_log(const RawTable& table);

}  // namespace medley::data
