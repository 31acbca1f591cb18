// SPDX-License-Identifier: Apache-2.0
#include "data/formats/csv.hpp"

#include <utility>

#include "core/memory_guard.hpp"
#include "core/problems.hpp"
#include "data/formats/column_builder.hpp"
#include "data/formats/csv_records.hpp"

namespace medley::data {

RawTable read_csv(core::ByteSource& source, const CsvOptions& options) {
  core::Problems problems;
  CsvRecords records(source, options.delimiter, problems, options.memory_limit);
  const std::size_t width = records.header().size();
  core::MemoryGuard memory(options.memory_limit, source.name());
  memory.add(width, sizeof(ColumnBuilder) + sizeof(RawColumn));

  RawTable table;
  table.delimiter = records.delimiter();
  std::vector<ColumnBuilder> columns(width);
  std::vector<bool> has_text(width, false);
  while (records.next()) {
    memory.add(width * sizeof(std::uint32_t) + sizeof(std::uint64_t));
    for (std::size_t i = 0; i < width; ++i) {
      const std::string_view cell = records.cells()[i];
      if (!cell.empty()) has_text[i] = true;
      columns[i].add(cell, options.is_missing, memory);
    }
    table.line.push_back(records.line());
  }
  problems.throw_if_any();
  if (table.line.empty())
    throw InputError(
        {source.name(), "has a header and no rows", "check that the file is complete"});

  for (std::size_t i = 0; i < width; ++i) {
    if (records.unnamed(i) && !has_text[i]) continue;
    table.columns.push_back(
        {records.header()[i], columns[i].take_distinct(), columns[i].take_codes()});
  }
  if (table.columns.empty())
    throw InputError({source.name(), "holds delimiters only", "check that this is the right file"});
  return table;
}

}  // namespace medley::data
