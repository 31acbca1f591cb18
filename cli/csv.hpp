// SPDX-License-Identifier: Apache-2.0
// Lines of CSV: fields quoted where they must be, numbers in the fewest digits that read back
// exactly.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace medley::cli {

/// Whether a spreadsheet would take the text for a formula: it begins with =, +, -, @, a tab or a
/// carriage return, and is no number.
[[nodiscard]] bool is_formula(std::string_view text);
/// --safe-csv: whether every text that is_formula gets an apostrophe before it, which spreadsheets
/// take for "this is text". Of the whole program: a command line has it or not.
[[nodiscard]] bool& csv_is_safe();
/// What a finished CSV text becomes under --safe-csv; itself without.
[[nodiscard]] std::string as_asked(std::string csv);

/// Builds one line after the other.
class CsvLine {
 public:
  explicit CsvLine(char delimiter = ',') : delimiter_(delimiter) {}
  CsvLine& add(std::string_view text);
  CsvLine& add(double number);
  CsvLine& add(std::size_t number);
  /// The finished line with its end; the next add() begins a new one.
  [[nodiscard]] std::string take();

 private:
  void separate();
  std::string line_;
  char delimiter_;
  bool first_ = true;
};

}  // namespace medley::cli
