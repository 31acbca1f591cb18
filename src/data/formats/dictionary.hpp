// SPDX-License-Identifier: Apache-2.0
// Gives different texts consecutive codes in order of first appearance. Looking a known text up
// allocates nothing. An open-addressing table over the texts themselves: 8 bytes a slot, at most
// 2/3 full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/problems.hpp"
#include "data/formats/csv.hpp"
#include "data/raw.hpp"

namespace medley::data {

class Dictionary {
 public:
  /// Roughly what one more text costs, for memory accounting.
  [[nodiscard]] static std::size_t cost(std::string_view text) {
    return sizeof(std::string) + 2 * sizeof(Slot) + (text.size() < 16 ? 0 : text.size() + 1);
  }

  /// The code of `text`, or kMissingCode if it is new.
  [[nodiscard]] std::uint32_t find(std::string_view text) const;
  /// Adds a text that find() did not know; returns its code. Throws InputError past 2^32 - 2 texts.
  std::uint32_t add(std::string_view text);

  [[nodiscard]] std::size_t size() const { return texts_.size(); }
  /// By code.
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
  /// The texts by code; the dictionary is empty afterwards.
  [[nodiscard]] std::vector<std::string> take();

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t code = kMissingCode;  // kMissingCode: free
  };
  void place(std::uint64_t hash, std::uint32_t code);
  void grow();

  std::vector<Slot> slots_;  // a power of two of them, or none
  std::vector<std::string> texts_;
};

// Grows one dictionary-coded column cell by cell, within a memory limit.

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
