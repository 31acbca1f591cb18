// SPDX-License-Identifier: Apache-2.0
#include "data/formats/column.hpp"

#include "core/memory_guard.hpp"
#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/column_builder.hpp"
#include "data/formats/text_lines.hpp"

namespace medley::data {

RawTable read_column(core::ByteSource& source, const ColumnOptions& options) {
  core::Problems problems;
  core::MemoryGuard memory(options.memory_limit, source.name());
  TextLines lines(source, options.memory_limit);
  RawTable table;
  ColumnBuilder column;
  std::string_view line;
  while (lines.next(line)) {
    if (!check_text_line(line, problems, lines)) continue;
    memory.add(sizeof(std::uint32_t) + sizeof(std::uint64_t));
    column.add(core::trimmed(line), options.is_missing, memory);
    table.line.push_back(lines.number());
  }
  problems.throw_if_any();
  if (table.line.empty()) refuse_empty(source.name());
  table.columns.push_back({options.name, column.take_distinct(), column.take_codes()});
  return table;
}

}  // namespace medley::data
