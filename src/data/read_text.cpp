// SPDX-License-Identifier: Apache-2.0
// A table as text, for putting results beside what was in the file.
#include <algorithm>
#include <optional>

#include "core/files.hpp"
#include "data/formats/csv.hpp"
#include "data/formats/detect.hpp"
#include "medley/error.hpp"
#include "medley/read.hpp"

namespace medley {
namespace {

bool is_table(Format format) {
  return format == Format::automatic || format == Format::csv || format == Format::tsv;
}

/// The empty cell, which the reader codes as missing, becomes a text like any other.
TextColumn column_of(data::RawColumn&& raw) {
  TextColumn column{std::move(raw.name), std::move(raw.distinct), std::move(raw.code)};
  if (std::find(column.code.begin(), column.code.end(), data::kMissingCode) == column.code.end())
    return column;
  const auto empty = static_cast<std::uint32_t>(column.distinct.size());
  column.distinct.emplace_back();
  std::replace(column.code.begin(), column.code.end(), data::kMissingCode, empty);
  return column;
}

}  // namespace

TextTable read_text(const Source& source, const ReadOptions& options) {
  Format format = options.format;
  if (format == Format::automatic)
    format = data::format_by_name(source.path).value_or(Format::automatic);
  if (!is_table(format)) throw InputError({source.path, "is no CSV or TSV table", "give a table"});
  data::CsvOptions csv;
  if (format == Format::tsv) csv.delimiter = '\t';
  csv.memory_limit = options.memory_limit;
  const auto bytes = core::ByteSource::open(source.path);
  data::RawTable raw = data::read_csv(*bytes, csv);
  TextTable table;
  table.rows = raw.line.size();
  for (data::RawColumn& column : raw.columns) table.columns.push_back(column_of(std::move(column)));
  return table;
}

}  // namespace medley
