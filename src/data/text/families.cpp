// SPDX-License-Identifier: Apache-2.0
#include "data/text/families.hpp"

#include "data/family_words.hpp"

namespace medley::data {

std::vector<std::string> option_levels(bool missing_as_category) {
  std::vector<std::string> levels = {"no", "yes"};
  if (missing_as_category) levels.emplace_back(kMissingLevel);
  return levels;
}

ColumnFacts facts_of_entries(const ColumnSpec& column, bool missing_as_category) {
  ColumnFacts facts;
  facts.name = column.name;
  const bool set = column.cells == CellText::set;
  facts.kind = set ? SourceKind::table : SourceKind::tokens;
  facts.distinct = set ? option_levels(missing_as_category).size() : column.levels.size();
  return facts;
}

std::string family_of_entries(const ColumnSpec& column, bool missing_as_category,
                              const FamilyCatalogue& catalogue) {
  const ColumnFacts facts = facts_of_entries(column, missing_as_category);
  if (column.cells == CellText::set) return family_of_levels(facts, catalogue);
  for (const std::string& name : catalogue.names) {
    if (catalogue.encoding_of(name) == Encoding::tokens && catalogue.objection(name, facts).empty())
      return name;
  }
  return {};
}

}  // namespace medley::data
