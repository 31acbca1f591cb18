// SPDX-License-Identifier: Apache-2.0
// The JSON header of a safetensors file: what lies where. For those who read or write such files in
// pieces; whole files: safetensors.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/safetensors.hpp"

namespace medley::core {

/// The element types in use, in the order of Tensor::values' alternatives.
enum class ElementType { f64, i64, f32, u8, u32 };

[[nodiscard]] std::size_t element_size(ElementType type);

/// Where one tensor lies: bytes [begin, end) counted from the end of the header.
struct TensorPlace {
  ElementType type = ElementType::u8;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct TensorHeader {
  std::map<std::string, std::string> metadata;
  std::map<std::string, TensorPlace> places;
};

/// A longer header is refused: it is text describing tensors, never the bulk of a file.
inline constexpr std::uint64_t kMaxTensorHeader = std::uint64_t{64} << 20;
/// No array of ours has more than three dimensions; the rest is room for the future.
inline constexpr std::size_t kMaxTensorRank = 16;
/// The data section begins at a multiple of this, so that a mapped file can be used in place.
inline constexpr std::uint64_t kTensorAlignment = 64;

/// Refuses a file: "origin: not a Medley model file (detail)".
[[noreturn]] void refuse_tensor_file(const std::string& origin, std::string detail);

/// Reads the JSON text and checks that the tensors tile `data_size` bytes exactly.
[[nodiscard]] TensorHeader parse_tensor_header(std::string_view text, std::uint64_t data_size,
                                               const std::string& origin);

/// The length field, the JSON text and its padding: everything before the data.
[[nodiscard]] std::string format_tensor_header(const TensorHeader& header,
                                               const std::vector<std::string>& order);

/// Gives every tensor its place, largest elements first so that there are no holes, else by name;
/// returns the names in that order.
std::vector<std::string> place_tensors(TensorHeader& header);

/// Product of the dimensions times the element size; false on overflow.
[[nodiscard]] bool tensor_bytes(const std::vector<std::uint64_t>& shape, ElementType type,
                                std::uint64_t& bytes);

}  // namespace medley::core
