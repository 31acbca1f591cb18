// SPDX-License-Identifier: Apache-2.0
#include "data/family_words.hpp"

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

Problem not_a_number(const std::string& where, const std::string& cell, const ColumnSpec& column,
                     const std::string& levels_family) {
  std::string remedy = "the column is " + column.family + "; use ";
  if (is_ambiguous_comma(cell)) {
    remedy += "a decimal point and no thousands separator, ";
  }
  if (!levels_family.empty()) {
    remedy += "--column " + shell_word(column.name) + '=' + levels_family + ", ";
  }
  return {where, core::quoted(cell) + " is not a number", remedy + "or --na " + shell_word(cell)};
}

}  // namespace medley::data
