// SPDX-License-Identifier: Apache-2.0
// The container of model, checkpoint and stream files: the open safetensors layout. An 8-byte
// little-endian header length, a JSON header {"__metadata__": {string: string}, name: {dtype,
// shape, data_offsets}}, then the raw little-endian tensors, largest element size first so that
// there are no holes. Reading runs no code, checks every size before it allocates and refuses
// overlaps, holes and overflow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace medley::core {

/// A named array. `shape` multiplies to the number of values.
struct Tensor {
  std::vector<std::uint64_t> shape;
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<float>,
               std::vector<std::uint8_t>, std::vector<std::uint32_t>>
      values;
};

/// Metadata strings and tensors by name; ordered, so equal content gives equal bytes.
struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Tensor> tensors;

  void put(const std::string& name, std::vector<double> values,
           std::vector<std::uint64_t> shape = {});
  void put(const std::string& name, std::vector<float> values,
           std::vector<std::uint64_t> shape = {});
  void put(const std::string& name, std::vector<std::int64_t> values,
           std::vector<std::uint64_t> shape = {});
  /// Strings as two tensors, `name`.bytes (U8) and `name`.offsets (I64, count + 1).
  void put_strings(const std::string& name, const std::vector<std::string>& strings);

  /// Whether there is an array, or a list of strings, of that name.
  [[nodiscard]] bool has(const std::string& name) const;
  /// The tensor's values; InputError if it is absent, of another type, or not of that many values
  /// (count npos: any number).
  [[nodiscard]] const std::vector<double>& doubles(const std::string& name,
                                                   std::size_t count = npos) const;
  [[nodiscard]] const std::vector<float>& floats(const std::string& name,
                                                 std::size_t count = npos) const;
  [[nodiscard]] const std::vector<std::int64_t>& integers(const std::string& name,
                                                          std::size_t count = npos) const;
  [[nodiscard]] std::vector<std::string> strings(const std::string& name) const;
  /// The metadata value; InputError if absent.
  [[nodiscard]] const std::string& meta(const std::string& key) const;

  std::string origin;  ///< path the file was read from, for messages
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

/// Serialises; throws RunError if the file cannot be written whole.
void save_tensors(const TensorFile& file, const std::string& path);
/// Throws InputError naming the file and what is wrong with it.
[[nodiscard]] TensorFile load_tensors(const std::string& path);
/// The same from memory; `origin` stands in for the path in messages.
[[nodiscard]] TensorFile parse_tensors(std::string_view bytes, const std::string& origin);
[[nodiscard]] std::string serialise_tensors(const TensorFile& file);

}  // namespace medley::core
