// SPDX-License-Identifier: Apache-2.0
// Looking things up in a schema, and the strings that always mean "missing".
#include "medley/data.hpp"

#include <algorithm>
#include <array>

namespace medley {

const ColumnSpec* Schema::find(std::string_view column) const {
  for (const SourceSpec& source : sources) {
    for (const ColumnSpec& spec : source.columns) {
      if (spec.name == column) return &spec;
    }
  }
  return nullptr;
}

const ColumnSpec* Schema::label() const {
  for (const SourceSpec& source : sources) {
    for (const ColumnSpec& spec : source.columns) {
      if (spec.role == Role::label) return &spec;
    }
  }
  return nullptr;
}

bool is_standard_missing(std::string_view cell) {
  static constexpr std::array<std::string_view, 7> kMissing = {"",  "NA",   "NaN", "nan",
                                                               "?", "null", "None"};
  return std::find(kMissing.begin(), kMissing.end(), cell) != kMissing.end();
}

}  // namespace medley
