// SPDX-License-Identifier: Apache-2.0
// The strings that mean "missing" for one reading: the standard ones and those of `--na`.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "medley/schema.hpp"

namespace medley::data {

class MissingStrings {
 public:
  explicit MissingStrings(const std::vector<std::string>& more) : more_(more.begin(), more.end()) {}
  [[nodiscard]] bool contains(const std::string& cell) const {
    return is_standard_missing(cell) || more_.count(cell) > 0;
  }

 private:
  std::unordered_set<std::string> more_;
};

}  // namespace medley::data
