// SPDX-License-Identifier: Apache-2.0
// What writer and reader of stream files agree on; include/medley/io.hpp describes the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace medley::data {

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

}  // namespace medley::data
