// SPDX-License-Identifier: Apache-2.0
// The parent's side of reading an SPSS, Stata or SAS file: from the frames of the child to a table.
// The child parses hostile files and may have been taken over by one, so nothing it says is
// trusted: every size is checked before memory is taken, and every text made well-formed UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/files.hpp"
#include "data/formats/csv.hpp"
#include "data/raw.hpp"

namespace medley::data {

struct StatisticalTable {
  RawTable table;          ///< unfinished if `failed`
  std::uint64_t rows = 0;  ///< rows read, also if `failed`
  std::string weight;      ///< the variable the file declares to hold weights, or empty
  std::optional<std::uint64_t> failed;  ///< the parser's error number, if it gave up
};

/// `is_missing` and `memory_limit` as in CsvOptions. Throws InputError for a stream that breaks the
/// rules of statistical_frames.hpp, for a file that ends before its last row, and for none at all.
[[nodiscard]] StatisticalTable read_statistical_frames(core::ByteSource& stream,
                                                       const IsMissing& is_missing,
                                                       std::size_t memory_limit);

}  // namespace medley::data
