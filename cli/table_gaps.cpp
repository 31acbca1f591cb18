// SPDX-License-Identifier: Apache-2.0
#include "table_gaps.hpp"

#include <algorithm>
#include <unordered_map>

namespace medley::cli {
namespace {

constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);
constexpr std::size_t kNoColumn = kAbsent - 1;  // an option of a set: no column of its own

bool holds(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// Where each feature of each block stands in the table.
std::vector<std::vector<std::size_t>> columns_of(const TextTable& table, const Dataset& data) {
  std::unordered_map<std::string, std::size_t> at;
  for (std::size_t i = 0; i < table.header.size(); ++i) at.try_emplace(table.header[i], i);
  std::vector<std::vector<std::size_t>> out;
  for (const Block& block : data.blocks) {
    auto& columns = out.emplace_back();
    for (const Feature& feature : block.features) {
      const ColumnSpec* spec = data.schema.find(feature.name);
      const bool single = spec != nullptr && spec->role == Role::feature &&
                          spec->cells == CellText::value && spec->family == block.family;
      const auto found = at.find(feature.name);
      columns.push_back(!single ? kNoColumn : found == at.end() ? kAbsent : found->second);
    }
  }
  return out;
}

}  // namespace

bool is_missing_text(const std::string& text, const ColumnSpec& column, const Schema& schema,
                     const std::vector<std::string>& na) {
  return is_standard_missing(text) || holds(na, text) || holds(schema.na, text) ||
         holds(column.missing, text);
}

TableGaps find_gaps(const TextTable& table, const Dataset& data,
                    const std::vector<CellPlace>& missing, const std::vector<std::string>& na) {
  const auto columns = columns_of(table, data);
  TableGaps out;
  out.na = na;
  for (std::size_t b = 0; b < columns.size(); ++b) {
    for (std::size_t f = 0; f < columns[b].size(); ++f) {
      if (columns[b][f] == kAbsent) out.absent.push_back(data.blocks[b].features[f].name);
    }
  }
  for (const CellPlace& place : missing) {
    const std::size_t column = columns[place.block][place.feature];
    if (column == kAbsent || column == kNoColumn) continue;
    const std::string& text = table.rows[place.row][column];
    const ColumnSpec* spec = data.schema.find(table.header[column]);
    if (is_missing_text(text, *spec, data.schema, na)) {
      out.places.push_back(place);
      out.column.push_back(column);
    } else {
      ++out.unknown;
    }
  }
  return out;
}

}  // namespace medley::cli
