// SPDX-License-Identifier: Apache-2.0
// A table as text, for commands that write it out again with something added.
#include <algorithm>
#include <utility>

#include "core/task.hpp"

#include "data/formats/csv.hpp"
#include "data/formats/documents.hpp"
#include "data/formats/jsonl.hpp"
#include "data/formats/statistical.hpp"
#include "data/open.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"

namespace medley {

namespace {

// Lists of the file's own are written with the usual separator.
void show_lists(data::RawColumn& column) {
  if (column.cells != CellText::tags) return;
  for (std::string& cell : column.distinct) {
    std::replace(cell.begin(), cell.end(), data::kListSeparator, ';');
  }
}

TextTable as_text_table(data::RawTable raw) {
  TextTable table;
  if (raw.delimiter != '\0') table.delimiter = raw.delimiter;
  table.rows.resize(raw.line.size());
  for (data::RawColumn& column : raw.columns) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      core::stop_if_asked();
      const std::uint32_t code = column.code[row];
      table.rows[row].push_back(code == data::kMissingCode ? "" : column.distinct[code]);
    }
    table.header.push_back(std::move(column.name));
  }
  return table;
}

}  // namespace

TextTable read_text_table(const Source& source, const ReadOptions& options, const Hooks& hooks) {
  const core::Task task(hooks);
  const core::Stage stage("reading");
  data::RawTable raw;
  if (data::reads_documents(source, options)) {
    raw = data::read_documents(source.path, {options.memory_limit, nullptr});
    return as_text_table(std::move(raw));
  }
  data::OpenSource opened = data::open_source(source, options, std::nullopt);
  // No strings are missing here: "NA" goes out as it came in.
  if (opened.format == Format::column || opened.format == Format::text) {
    const std::string name = source.name.empty() ? "data" : source.name;
    raw = data::read_column(*opened.bytes, {name, nullptr, options.memory_limit});
  } else if (opened.format == Format::csv || opened.format == Format::tsv) {
    const std::optional<char> delimiter =
        opened.format == Format::tsv ? std::optional('\t') : std::nullopt;
    raw = data::read_csv(*opened.bytes, {delimiter, nullptr, options.memory_limit});
  } else if (data::is_statistical(opened.format)) {
    data::StatisticalOptions how;
    how.format = opened.format;
    how.memory_limit = options.memory_limit;
    raw = data::read_statistical(source.path, how);
  } else if (opened.format == Format::jsonl) {
    raw = data::read_jsonl(*opened.bytes, {nullptr, options.memory_limit});
    for (data::RawColumn& column : raw.columns) show_lists(column);
  } else {
    throw InputError(
        {opened.bytes->name(), "is not a table", "give a CSV, TSV or JSON-lines file"});
  }
  return as_text_table(std::move(raw));
}

}  // namespace medley
