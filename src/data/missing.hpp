// SPDX-License-Identifier: Apache-2.0
// The strings that mean "missing" for one reading: the standard ones and those of `--na`; and, for
// one column, the codes it has of its own.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

class MissingStrings {
 public:
  explicit MissingStrings(const std::vector<std::string>& more) : more_(more.begin(), more.end()) {}
  [[nodiscard]] bool contains(const std::string& cell) const {
    return is_standard_missing(cell) || more_.count(cell) > 0;
  }
  /// The same with the codes of one column.
  [[nodiscard]] MissingStrings with(const std::vector<std::string>& codes) const {
    MissingStrings both = *this;
    both.more_.insert(codes.begin(), codes.end());
    return both;
  }

 private:
  std::unordered_set<std::string> more_;
};

}  // namespace medley::data
