// SPDX-License-Identifier: Apache-2.0
// Collecting what is wrong with an input, and keeping what reading takes within the memory allowed.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "medley/error.hpp"

namespace medley::core {

// Collects what is wrong with an input, so that one error can list it all. What is wrong in the
// same way in many places is told once, with the first places and their number. Every problem is
// counted; after kGiveUp of them reading on is pointless and the collector throws.

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

// Keeps count of the memory that reading a file takes, roughly, and refuses to go past a limit.

class MemoryGuard {
 public:
  /// `limit` in bytes, 0: none. `file` is named in the error.
  MemoryGuard(std::size_t limit, std::string file) : limit_(limit), file_(std::move(file)) {}
  /// Throws InputError if that many more bytes would go past the limit. Call before allocating.
  void add(std::size_t bytes) {
    if (limit_ != 0 && bytes > limit_ - used_) refuse();
    used_ += bytes;
  }
  /// The same for `count` things of `size` bytes each, without overflow.
  void add(std::size_t count, std::size_t size) {
    if (limit_ != 0 && size != 0 && count > (limit_ - used_) / size) refuse();
    used_ += count * size;
  }

 private:
  [[noreturn]] void refuse() const;

  std::size_t limit_;
  std::size_t used_ = 0;
  std::string file_;
};

}  // namespace medley::core
