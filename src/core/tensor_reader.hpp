// SPDX-License-Identifier: Apache-2.0
// Reads a safetensors file in pieces: the header at once, tensors by ranges of their elements, as
// they are needed. The file is read by position (pread), never mapped: a mapped file that somebody
// truncates kills the program, a read only comes up short and can be refused in words. Reading is
// safe from several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "core/safetensors_header.hpp"

namespace medley::core {

class TensorReader {
 public:
  /// Throws InputError naming the file and what is wrong with it; `wanted` is what it should have
  /// been: "a model file". RunError if it has more than `most` bytes.
  static TensorReader open(const std::string& path, const std::string& wanted,
                           std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  /// From memory that outlives it; `origin` stands in for the path in messages.
  static TensorReader from_memory(std::string_view bytes, const std::string& origin);

  [[nodiscard]] const TensorHeader& header() const { return header_; }
  [[nodiscard]] const std::string& origin() const { return origin_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Copies elements [first, first + count) of a tensor of the header to `to`; they must be there.
  /// Throws InputError if the file has become shorter since it was opened.
  void read(const TensorPlace& place, std::uint64_t first, std::size_t count, void* to) const;

 private:
  class Bytes;  // of a file or of memory
  class FileBytes;
  class MemoryBytes;
  TensorReader(std::shared_ptr<const Bytes> bytes, std::uint64_t size, std::string origin);

  std::shared_ptr<const Bytes> bytes_;
  std::uint64_t size_, data_ = 0;  // data_: where the tensors begin
  std::string origin_;
  TensorHeader header_;
};

}  // namespace medley::core
