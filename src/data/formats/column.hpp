// SPDX-License-Identifier: Apache-2.0
// A file of one value per line as a table of one column. No header; a blank line is a missing
// value; the last line may lack its end. Values are trimmed; nothing is special about quotes or
// commas.
#pragma once

#include <cstddef>
#include <string>

#include "core/files.hpp"
#include "data/formats/csv.hpp"
#include "data/raw.hpp"

namespace medley::data {

struct ColumnOptions {
  std::string name = "value";    ///< what the column is called
  IsMissing is_missing = {};     ///< none: only a blank line is missing
  std::size_t memory_limit = 0;  ///< bytes; 0: none
};

[[nodiscard]] RawTable read_column(core::ByteSource& source, const ColumnOptions& options);

}  // namespace medley::data
