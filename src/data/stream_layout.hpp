// SPDX-License-Identifier: Apache-2.0
// Stream files: what their writer and reader agree on, and the bytes row by row.
// include/medley/io.hpp describes the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "medley/io.hpp"

namespace medley::data {

// What writer and reader of stream files agree on; include/medley/io.hpp describes the file.

inline constexpr std::string_view kStreamFormat = "medley stream";
inline constexpr std::string_view kStreamVersion = "1";
/// How every stream file begins, after the 8 bytes of the header's length.
inline constexpr std::string_view kStreamMagic = R"({"__metadata__":{"format":"medley stream")";
/// Rows of a piece: few, so that a shuffled pass reads little more than it wants; enough for the
/// checksums to be small beside the data.
inline constexpr std::size_t kRowsPerPiece = 64;

/// Names of arrays.
[[nodiscard]] inline std::string block_array(std::size_t block, const char* what) {
  return "block." + std::to_string(block) + "." + what;
}
[[nodiscard]] inline std::string kept_array(std::size_t column, const char* what) {
  return "kept." + std::to_string(column) + "." + what;
}
[[nodiscard]] inline std::string checks_of(const std::string& array) {
  return array + ".crc";
}

/// CRC-32 as in zip files.
[[nodiscard]] std::uint32_t checksum(const void* bytes, std::size_t size);

// The bytes of a stream file, row by row: what StreamWriter is made of.

class StreamSink {
 public:
  explicit StreamSink(const std::string& path);
  ~StreamSink();
  StreamSink(const StreamSink&) = delete;
  StreamSink& operator=(const StreamSink&) = delete;

  /// All rows have blocks and kept columns like the first ones, which nobody checks here.
  void append(const Dataset& rows);
  /// Throws InputError if there were no rows.
  void finish(const Schema& schema);
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::size_t cells() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace medley::data
