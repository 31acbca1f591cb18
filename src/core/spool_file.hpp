// SPDX-License-Identifier: Apache-2.0
// A nameless file on disk that bytes are appended to and then copied from: for what must be written
// after something whose size it decides, and may not fit into memory. It is gone when this goes, or
// when the program dies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/files.hpp"

namespace medley::core {

class SpoolFile {
 public:
  /// On the disk of the folder that `beside` is to be written to; named in errors.
  explicit SpoolFile(const std::string& beside);
  ~SpoolFile();
  SpoolFile(SpoolFile&& other) noexcept;
  SpoolFile& operator=(SpoolFile&&) = delete;
  SpoolFile(const SpoolFile&) = delete;
  SpoolFile& operator=(const SpoolFile&) = delete;

  /// Throws RunError if the disk is full.
  void append(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t size() const { return written_ + buffer_.size(); }
  /// Everything appended so far, in order.
  void copy_to(FileWriter& writer);

 private:
  void flush();

  std::string beside_;
  int file_ = -1;
  std::uint64_t written_ = 0;
  std::string buffer_;
};

}  // namespace medley::core
