// SPDX-License-Identifier: Apache-2.0
// Keeps count of the memory that reading a file takes, roughly, and refuses to go past a limit.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace medley::core {

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
