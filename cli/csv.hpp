// SPDX-License-Identifier: Apache-2.0
// Lines of CSV: fields quoted where they must be, numbers in the fewest digits that read back
// exactly.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace medley::cli {

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
