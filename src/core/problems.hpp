// SPDX-License-Identifier: Apache-2.0
// Collecting the problems of an input, and limiting the memory that reading takes.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "medley/error.hpp"

namespace medley::core {

// Collects the problems of an input, so that one error can list them all. Similar problems in many
// places are reported once, with the first places and their number. Every problem is counted; after
// kGiveUp problems the collector throws, because reading on is pointless.

class Problems {
 public:
  /// A file with so many problems is probably of another kind than assumed.
  static constexpr std::size_t kGiveUp = 1000;
  /// Up to this many similar problems are listed separately; of more, the first is listed with the
  /// places of the next ones.
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

// Counts, roughly, the memory that reading a file takes, and refuses to exceed a limit.

class MemoryGuard {
 public:
  /// `limit` in bytes, 0: none. `file` is named in the error.
  MemoryGuard(std::size_t limit, std::string file) : limit_(limit), file_(std::move(file)) {}
  /// Throws InputError if this many more bytes would exceed the limit. Call before allocating.
  void add(std::size_t bytes) {
    if (limit_ != 0 && bytes > limit_ - used_) refuse();
    used_ += bytes;
  }
  /// The same for `count` objects of `size` bytes each, without overflow.
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
