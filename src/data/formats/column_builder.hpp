// SPDX-License-Identifier: Apache-2.0
// Grows one dictionary-coded column cell by cell, within a memory limit.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/memory_guard.hpp"
#include "data/formats/csv.hpp"
#include "data/formats/dictionary.hpp"

namespace medley::data {

class ColumnBuilder {
 public:
  /// Known texts come first: most cells repeat one, and none of the known ones is missing.
  void add(std::string_view cell, const IsMissing& is_missing, core::MemoryGuard& memory) {
    code_.push_back(code_of(cell, is_missing, memory));
  }
  [[nodiscard]] std::vector<std::string> take_distinct() { return dictionary_.take(); }
  [[nodiscard]] std::vector<std::uint32_t> take_codes() { return std::exchange(code_, {}); }

 private:
  std::uint32_t code_of(std::string_view cell, const IsMissing& is_missing,
                        core::MemoryGuard& memory) {
    if (cell.empty()) return kMissingCode;
    const std::uint32_t known = dictionary_.find(cell);
    if (known != kMissingCode) return known;
    if (is_missing && is_missing(cell)) return kMissingCode;
    memory.add(Dictionary::cost(cell));
    return dictionary_.add(cell);
  }

  Dictionary dictionary_;
  std::vector<std::uint32_t> code_;
};

}  // namespace medley::data
