// SPDX-License-Identifier: Apache-2.0
// Warnings about single columns. What holds for many of them in the same way (60 questions with
// "Don't know" beside 1 to 5) is said once, with the names of the others.
#pragma once

#include <string>
#include <vector>

namespace medley::data {

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

}  // namespace medley::data
