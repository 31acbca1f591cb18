// SPDX-License-Identifier: Apache-2.0
#include "data/source_columns.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/text.hpp"
#include "data/message_text.hpp"

namespace medley::data {
namespace {

std::shared_ptr<const RawColumn> coded(const std::vector<std::string>& cells, std::string name) {
  auto column = std::make_shared<RawColumn>();
  column->name = std::move(name);
  std::unordered_map<std::string, std::uint32_t> codes;
  column->code.reserve(cells.size());
  for (const std::string& cell : cells) {
    const auto [entry, added] =
        codes.emplace(cell, static_cast<std::uint32_t>(column->distinct.size()));
    if (added) column->distinct.push_back(cell);
    column->code.push_back(entry->second);
  }
  return column;
}

void add_columns(std::vector<ColumnRef>& columns, std::size_t index, const RawSource& source) {
  if (const auto* table = std::get_if<RawTable>(&source.content)) {
    for (const RawColumn& column : table->columns) {
      columns.push_back({index, column.name, &column, nullptr});
    }
  } else if (const auto* counts = std::get_if<RawCounts>(&source.content)) {
    columns.push_back({index, source.name, nullptr, nullptr});
    if (counts->label.empty()) return;
    const std::string name = source.name == "label" ? "label.label" : "label";
    const auto built = coded(counts->label, name);
    columns.push_back({index, name, built.get(), built});
  } else {
    columns.push_back({index, kValueColumn, nullptr, nullptr});
  }
}

}  // namespace

bool is_feature(const ColumnSpec& column) {
  return column.role == Role::feature;
}

bool has_features(const SourceSpec& source) {
  return std::any_of(source.columns.begin(), source.columns.end(), is_feature);
}

SourceKind kind_of(const RawSource& source) {
  if (std::holds_alternative<RawCounts>(source.content)) return SourceKind::tokens;
  if (std::holds_alternative<RawTriplets>(source.content)) return SourceKind::triplets;
  return source.one_value_per_line ? SourceKind::column : SourceKind::table;
}

std::size_t rows_of(const RawSource& source) {
  if (const auto* table = std::get_if<RawTable>(&source.content)) return table->line.size();
  if (const auto* counts = std::get_if<RawCounts>(&source.content)) {
    return counts->row_start.size() - 1;
  }
  return std::get<RawTriplets>(source.content).rows.size();
}

std::string place(const RawSource& source, std::size_t row, const std::string& column) {
  std::uint64_t line = 0;
  if (const auto* table = std::get_if<RawTable>(&source.content)) line = table->line[row];
  const auto* counts = std::get_if<RawCounts>(&source.content);
  if (counts != nullptr && row < counts->line.size()) line = counts->line[row];
  std::string text = source.path;
  if (line > 0) text += (source.in_memory ? ": row " : ":") + std::to_string(line);
  return column.empty() ? text : text + ": column " + core::quoted(column);
}

std::string place_of_triplet(const RawSource& source, std::size_t triplet) {
  const std::uint64_t line = std::get<RawTriplets>(source.content).line[triplet];
  return source.path + (source.in_memory ? ": triplet " : ":") + std::to_string(line);
}

std::vector<ColumnRef> all_columns(const std::vector<RawSource>& sources) {
  std::vector<ColumnRef> columns;
  for (std::size_t i = 0; i < sources.size(); ++i) add_columns(columns, i, sources[i]);
  return columns;
}

std::vector<const ColumnRef*> columns_named(const std::vector<ColumnRef>& columns,
                                            const std::vector<RawSource>& sources,
                                            const std::string& name) {
  std::vector<const ColumnRef*> found;
  for (const ColumnRef& column : columns) {
    const RawSource& source = sources[column.source];
    const bool whole_source = kind_of(source) == SourceKind::triplets && source.name == name;
    if (column.name == name || whole_source || source.name + '.' + column.name == name) {
      found.push_back(&column);
    }
  }
  return found;
}

Problem unknown_column(const std::string& option, const std::string& name,
                       const std::vector<ColumnRef>& columns) {
  std::vector<std::string> names;
  for (const ColumnRef& column : columns) {
    if (std::find(names.begin(), names.end(), column.name) == names.end()) {
      names.push_back(column.name);
    }
  }
  const std::string meant = closest(name, names);
  const bool quotes = std::ranges::any_of(
      names, [](const std::string& n) { return n.find_first_of(",=") != std::string::npos; });
  return {option, "there is no column " + core::quoted(name),
          (meant.empty() ? "" : "did you mean " + core::quoted(meant) + "? ") +
              "the columns are: " + listed(names) +
              (quotes ? "; a name with a comma or = goes in quotes: `ignore='\"a, b\"'`, "
                        "`column='\"a=b\"=gaussian'`; the schema takes any name"
                      : "")};
}

}  // namespace medley::data
