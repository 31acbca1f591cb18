// SPDX-License-Identifier: Apache-2.0
#include "data/family_words.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "data/number.hpp"
#include "data/wording.hpp"

namespace medley::data {

Problem unknown_family(const std::string& where, const std::string& family,
                       const FamilyCatalogue& catalogue) {
  const std::string meant = closest(family, catalogue.names);
  return {where, "unknown family " + core::quoted(family),
          (meant.empty() ? "" : "did you mean " + core::quoted(meant) + "? ") +
              "the families are: " + listed(catalogue.names) +
              "; or text, tags, set for cells to be taken apart"};
}

std::string family_of_levels(const ColumnFacts& facts, const FamilyCatalogue& catalogue) {
  for (const std::string& name : catalogue.names) {
    if (catalogue.encoding_of(name) == Encoding::levels &&
        catalogue.objection(name, facts).empty()) {
      return name;
    }
  }
  return {};
}

std::string family_of_numbers(const ColumnSummary& column, const FamilyCatalogue& catalogue) {
  const auto takes = [&](const std::string& family) {
    return catalogue.encoding_of(family) == Encoding::real &&
           catalogue.objection(family, column.facts).empty() &&
           std::all_of(column.values.begin(), column.values.end(), [&](const ObservedValue& v) {
             return v.number && catalogue.refusal(family, *v.number).empty();
           });
  };
  std::string best = catalogue.choose(column.facts).family;
  if (takes(best)) return best;
  const auto found = std::find_if(catalogue.names.begin(), catalogue.names.end(), takes);
  return found == catalogue.names.end() ? std::string() : *found;
}

std::string ways_out(const std::string& cell, const ColumnSpec& column, const std::string& instead,
                     bool fixed) {
  if (is_ambiguous_mark(cell, column.marks))
    return "`decimal=\"comma\"` or `decimal=\"point\"` says which the file means";
  std::string ways = fixed ? "the schema has the column as " + column.family + "; use " : "use ";
  if (!fixed && !instead.empty()) {
    ways += core::setting("column", column.name + '=' + instead) + ", ";
  }
  const bool others = ways.ends_with(", ");
  return ways + (others ? "or " : "") + core::setting("na", cell);
}

Problem not_a_number(const std::string& where, const std::string& cell, const ColumnSpec& column,
                     const std::string& instead, bool fixed) {
  if (is_ambiguous_mark(cell, column.marks))
    return {where, may_be_either(cell), ways_out(cell, column, instead, fixed)};
  const std::string what = is_infinite(cell) ? " is not a finite number" : " is not a number";
  const std::string remedy = fixed ? "" : "the column is " + column.family + "; ";
  return {where, core::quoted(cell) + what, remedy + ways_out(cell, column, instead, fixed)};
}

}  // namespace medley::data
