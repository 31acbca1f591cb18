// SPDX-License-Identifier: Apache-2.0
// SPSS (.sav, .zsav, .por), Stata (.dta) and SAS (.sas7bdat, .xpt) files as tables; a child process
// parses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/files.hpp"
#include "data/formats/csv.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

// The parent's side of reading an SPSS, Stata or SAS file: from the frames of the child to a table.
// The child parses hostile files and may have been taken over by one, so nothing it says is
// trusted: every size is checked before memory is taken, and every text made well-formed UTF-8.

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

// SPSS (.sav, .zsav, .por), Stata (.dta) and SAS (.sas7bdat, .xpt) files as tables, with the value
// labels and user-missing codes they declare. The file is parsed by ReadStat in a child process
// with limits on memory and time, because it may be hostile (statistical_parser.hpp); what comes
// back is checked.

/// Whether `format` is one of those read here.
[[nodiscard]] bool is_statistical(Format format);

struct StatisticalOptions {
  Format format = Format::sav;
  IsMissing is_missing = {};                     ///< none: only what the file says is missing
  std::size_t memory_limit = 0;                  ///< bytes; 0: none
  unsigned processor_seconds = 0;                ///< for parsing; 0: by the size of the file
  std::vector<std::string>* warnings = nullptr;  ///< where to say what else the file tells
  std::string weight = {};                       ///< a weight variable of this name is no news
};

/// `path` must be a plain file: the formats are not read front to back, so neither standard input
/// nor an archive will do. Throws InputError, also for no rows at all.
[[nodiscard]] RawTable read_statistical(const std::string& path, const StatisticalOptions& options);

}  // namespace medley::data
