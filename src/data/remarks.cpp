// SPDX-License-Identifier: Apache-2.0
#include "data/remarks.hpp"

#include <algorithm>
#include <map>

#include "core/text.hpp"
#include "data/columns.hpp"
#include "data/text/entries.hpp"
#include "data/wording.hpp"

namespace medley::data {
namespace {

// "INRA63" of INRA63_1, INRA63.2 or INRA63-2; empty for other names.
std::string stem_of_copy(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789");
  if (digits == std::string::npos || digits == 0 || digits + 1 == name.size()) return {};
  const char separator = name[digits];
  if (separator != '_' && separator != '.' && separator != '-') return {};
  return name.substr(0, digits);
}

}  // namespace

std::string columns_beside_text(const Schema& schema) {
  std::string text;
  std::vector<std::string> others;
  for (const SourceSpec& source : schema.sources) {
    for (const ColumnSpec& column : source.columns) {
      if (!is_feature(column)) continue;
      if (column.cells == CellText::text) text = column.name;
      if (column.cells == CellText::value && source.kind == SourceKind::table)
        others.push_back(column.name);
    }
  }
  if (text.empty() || others.empty()) return {};
  constexpr std::size_t kNamed = 8;
  std::string names, option;
  for (std::size_t i = 0; i < std::min(others.size(), kNamed); ++i) {
    names += (i > 0 ? ", " : "") + others[i];
    option += (i > 0 ? "," : "") + others[i];
  }
  const bool one = others.size() == 1, all = others.size() <= kNamed;
  if (!all) names += " and " + std::to_string(others.size() - kNamed) + " more";
  return names + (one ? " takes" : " take") + " part beside the prose in " + text + "; " +
         core::setting("ignore", all ? option : "NAME,NAME") +
         (one ? " leaves it out" : " leaves them out") +
         ", and groups `by` compares by such a column";
}

std::vector<std::string> columns_named_alike(const Schema& schema) {
  std::vector<std::string> doubts;
  for (const SourceSpec& source : schema.sources) {
    std::map<std::string, const ColumnSpec*> first;
    std::vector<std::string> pairs;
    for (const ColumnSpec& column : source.columns) {
      const std::string stem = stem_of_copy(column.name);
      if (!is_feature(column) || holds_entries(column) || stem.empty()) continue;
      const auto [found, added] = first.emplace(stem, &column);
      if (added || found->second->encoding == column.encoding) continue;
      pairs.push_back(found->second->name + " as " + found->second->family + " and " + column.name +
                      " as " + column.family);
    }
    if (pairs.empty()) continue;
    const std::string more =
        pairs.size() > 1 ? " (and " + std::to_string(pairs.size() - 1) + " more)" : "";
    doubts.push_back(
        "columns named alike are taken differently: " + pairs.front() + more +
        "; `column=\"NAME=FAMILY\"` gives both one family, `tie=\"NAME=COLUMN,COLUMN\"` makes one "
        "feature of them");
  }
  return doubts;
}

}  // namespace medley::data
