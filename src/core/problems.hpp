// SPDX-License-Identifier: Apache-2.0
// Collects what is wrong with an input, so that one error can list it all. What is wrong in the
// same way in many places is told once, with the first places and their number. Every problem is
// counted; after kGiveUp of them reading on is pointless and the collector throws.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/error.hpp"

namespace medley::core {

class Problems {
 public:
  /// A file this wrong is not the file it was taken for.
  static constexpr std::size_t kGiveUp = 1000;
  /// So many of one kind are listed one by one; of more, the first with the places of the next.
  static constexpr std::size_t kOneByOne = 3;

  void add(std::string where, std::string what, std::string remedy = {});
  void throw_if_any() const;
  [[nodiscard]] std::size_t total() const { return total_; }

 private:
  struct Kind {
    std::string key;
    std::vector<Problem> first;  ///< up to kOneByOne + 1
    std::size_t count = 0;
  };
  [[nodiscard]] Problem summary(const Kind& kind) const;

  std::vector<Kind> kinds_;
  std::size_t total_ = 0;
};

}  // namespace medley::core
