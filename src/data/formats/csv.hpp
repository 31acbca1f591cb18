// SPDX-License-Identifier: Apache-2.0
// A CSV or TSV file as a table of dictionary-coded text columns. See csv_records.hpp for the
// dialect.
//
// A quoted missing-value string ("NA" in quotes) is as missing as a bare one: many programs quote
// every cell. Cells stay text as written; with `;` as delimiter 3,5 stays 3,5. A column that has
// neither a name nor any text (lines that end in a delimiter) is left out; one without a name only
// is called `column_N`.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "core/files.hpp"
#include "data/raw.hpp"

namespace medley::data {

using IsMissing = std::function<bool(std::string_view)>;

struct CsvOptions {
  std::optional<char> delimiter = {};  ///< none: found in the header; TSV: '\t'
  IsMissing is_missing = {};           ///< none: only the empty cell is missing
  std::size_t memory_limit = 0;        ///< bytes; 0: none
};

/// Throws InputError listing every ragged or broken line; also for no rows at all.
[[nodiscard]] RawTable read_csv(core::ByteSource& source, const CsvOptions& options);

}  // namespace medley::data
