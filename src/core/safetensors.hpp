// SPDX-License-Identifier: Apache-2.0
// The container of model, checkpoint and stream files: the open safetensors layout. An 8-byte
// little-endian header length, a JSON header {"__metadata__": {string: string}, name: {dtype,
// shape, data_offsets}}, then the raw little-endian tensors, largest element size first so that
// there are no holes. Reading runs no code, checks every size before it allocates and refuses
// overlaps, holes and overflow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
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

// The JSON header of a safetensors file: what lies where. For those who read or write such files in
// pieces; whole files: safetensors.hpp.

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

// Reads a safetensors file in pieces: the header at once, tensors by ranges of their elements, as
// they are needed. The file is read by position (pread), never mapped: a mapped file that somebody
// truncates kills the program, a read only comes up short and can be refused in words. Reading is
// safe from several threads.

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
