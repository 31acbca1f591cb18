// SPDX-License-Identifier: Apache-2.0
// Columns of a table that are repeated observations of one feature (INRA63_1 and INRA63_2, the two
// alleles of a locus) become one column with several cells in a row, before anything is inferred.
#pragma once

#include <string>
#include <vector>

#include "core/problems.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// Ties the columns that the options name, where no schema is given. Throws InputError for columns
/// that are not there, are tied twice, hold lists, or are named by another option.
void tie_columns(std::vector<RawSource>& sources, const ReadOptions& options);

/// Ties the columns of a file as its part of the schema says; copies that the file lacks are
/// missing. Without any, the column is absent (or there under its own name).
void tie_columns(RawSource& source, const SourceSpec& part);

/// Cells that a row has in the column.
[[nodiscard]] std::size_t copies_in(const RawColumn& column);

}  // namespace medley::data
