// SPDX-License-Identifier: Apache-2.0
// JSON lines as a table: one object per line, its keys are the columns in order of first
// appearance.
//
// An absent key and null are missing. Numbers stay as they are written, true and false are those
// words. An array of such values is a list cell (see kListSeparator); its column is then a column
// of lists, in which a single value is a list of one. Objects inside objects are refused: a table
// is flat. Blank lines are skipped.
#pragma once

#include <cstddef>

#include "core/files.hpp"
#include "data/formats/csv.hpp"
#include "data/raw.hpp"

namespace medley::data {

struct JsonlOptions {
  IsMissing is_missing = {};     ///< none: only null, "" and an absent key are missing
  std::size_t memory_limit = 0;  ///< bytes; 0: none
};

/// Throws InputError listing every line that is not a flat JSON object; also for no rows at all.
[[nodiscard]] RawTable read_jsonl(core::ByteSource& source, const JsonlOptions& options);

}  // namespace medley::data
