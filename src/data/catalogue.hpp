// SPDX-License-Identifier: Apache-2.0
// What reading needs to know about families without knowing any: facts about a column go out, the
// name of a family comes back. The model room fills this in from the family registry.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

/// What can be said of a column from its distinct values alone.
struct ColumnFacts {
  std::string name;
  SourceKind kind = SourceKind::table;
  std::size_t rows = 0;             ///< cells in all
  std::size_t missing = 0;          ///< of which missing
  std::size_t distinct = 0;         ///< different observed values
  bool numeric = false;             ///< every observed value parses as a finite number
  bool integer = false;             ///< ... and is a whole number
  double minimum = 0, maximum = 0;  ///< meaningful if numeric
  double mean = 0, variance = 0;    ///< of the observed cells, if numeric
  double skewness = 0;              ///< third standardised moment, if numeric
  double log_skewness = 0;          ///< the same of the logarithms, if numeric and minimum > 0
};

struct FamilyChoice {
  std::string family;  ///< empty: no family suits; leave the column out
  Encoding encoding = Encoding::levels;
  std::string note;  ///< why, in a few words: "2 levels", "text with 812 different values"
};

struct FamilyCatalogue {
  std::function<FamilyChoice(const ColumnFacts&)> choose;
  /// The encoding a family needs; nullopt if there is no such family.
  std::function<std::optional<Encoding>(const std::string& family)> encoding_of;
  /// Empty if the column can be that family, else what stands in the way ("has 3 levels, bernoulli
  /// takes 2").
  std::function<std::string(const std::string& family, const ColumnFacts&)> objection;
  /// Empty if a number can be a cell of the family, else what is wrong with it: "is below 0".
  std::function<std::string(const std::string& family, double value)> refusal;
  std::vector<std::string> names;  ///< all families, for messages
};

}  // namespace medley::data
