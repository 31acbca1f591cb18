// SPDX-License-Identifier: Apache-2.0
// What is worth saying about columns while a schema is inferred: hints that only the person can
// settle, and warnings.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "data/column_facts.hpp"
#include "data/raw.hpp"
#include "medley/data.hpp"

namespace medley::data {

// Warnings about single columns. What holds for many of them in the same way (60 questions with
// "Don't know" beside 1 to 5) is said once, with the names of the others.

class ColumnWarnings {
 public:
  /// `says` follows the column's name: " is left out: ...", or ": it is a copy of ...".
  void add(const std::string& path, const std::string& column, std::string says);
  /// Goes on with the last sentence.
  void append(const std::string& more) { said_.back().says += more; }
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  struct Said {
    std::string path, column, says;
  };
  std::vector<Said> said_;
};

// What looks odd in a table and only the person can settle. Nothing is changed for it: a hint is a
// sentence in the schema and a warning of the fit. Empty: nothing looks odd.

/// "Don't know" beside the answers 1 to 5, and the 9 beside it.
[[nodiscard]] std::string text_beside_scale(const ColumnSummary& column);

/// Levels that differ in case or in blanks around them alone: Yes, yes, "YES ".
[[nodiscard]] std::string twin_levels(const ColumnSummary& column);

/// A first line of numbers, and of texts that are cells too, like the lines under it: a file
/// without a header.
[[nodiscard]] std::string data_as_names(const RawTable& table);

/// Column -> an earlier one with the same cells in every row.
[[nodiscard]] std::map<std::size_t, std::size_t> copied_columns(const RawTable& table);

// What is worth saying about the columns of a schema together, once each has been taken for
// something.

/// Which columns are modelled beside running text, and how to leave them out; empty if none is. Who
/// fits topics often means them for groups to compare, not for what topics are made of.
[[nodiscard]] std::string columns_beside_text(const Schema& schema);

/// Doubts about columns such as INRA63_1 and INRA63_2, one thing measured twice, that are taken for
/// numbers here and levels there.
[[nodiscard]] std::vector<std::string> columns_named_alike(const Schema& schema);

}  // namespace medley::data
