// SPDX-License-Identifier: Apache-2.0
// The container of model, checkpoint and stream files: the open safetensors layout. It has an
// 8-byte little-endian header length, a JSON header {"__metadata__": {string: string}, name:
// {dtype, shape, data_offsets}}, then the raw little-endian tensors, largest element size first so
// that there are no holes. Reading runs no code, checks every size before it allocates, and refuses
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

/// A named array. The product of `shape` is the number of values.
struct Tensor {
  std::vector<std::uint64_t> shape;
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<float>,
               std::vector<std::uint8_t>, std::vector<std::uint32_t>>
      values;
};

/// Metadata strings and tensors, ordered by name, so that equal content gives equal bytes.
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

  /// Whether there is an array or a list of strings with that name.
  [[nodiscard]] bool has(const std::string& name) const;
  /// The values of a tensor. InputError if it is absent, has another type, or does not have `count`
  /// values (npos: any number).
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
/// Throws InputError naming the file and its defect.
[[nodiscard]] TensorFile load_tensors(const std::string& path);
/// The same from memory; messages show `origin` in place of the path.
[[nodiscard]] TensorFile parse_tensors(std::string_view bytes, const std::string& origin);
[[nodiscard]] std::string serialise_tensors(const TensorFile& file);

// The JSON header of a safetensors file: the place of every tensor. For code that reads or writes
// such files in pieces.

/// The element types in use, in the order of Tensor::values' alternatives.
enum class ElementType { f64, i64, f32, u8, u32 };

[[nodiscard]] std::size_t element_size(ElementType type);

/// The place of one tensor: bytes [begin, end) counted from the end of the header.
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

/// A longer header is refused: a header describes tensors and is never the bulk of a file.
inline constexpr std::uint64_t kMaxTensorHeader = std::uint64_t{64} << 20;
/// Our arrays have at most three dimensions; the rest is reserve.
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

/// Assigns every tensor its place, largest elements first so that there are no holes, then by name;
/// returns the names in that order.
std::vector<std::string> place_tensors(TensorHeader& header);

/// Product of the dimensions times the element size; false on overflow.
[[nodiscard]] bool tensor_bytes(const std::vector<std::uint64_t>& shape, ElementType type,
                                std::uint64_t& bytes);

// Reads a safetensors file in pieces: the header at once, ranges of elements when they are needed.
// The file is read by position (pread), never mapped: if somebody truncates a mapped file, the
// program dies, whereas a short read gives an error message. Reading is safe from several threads.

class TensorReader {
 public:
  /// Throws InputError naming the file and its defect; `wanted` names the expected kind: "a model
  /// file". RunError if the file is longer than `most` bytes.
  static TensorReader open(const std::string& path, const std::string& wanted,
                           std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  /// From memory that outlives the reader; messages show `origin` in place of the path.
  static TensorReader from_memory(std::string_view bytes, const std::string& origin);

  [[nodiscard]] const TensorHeader& header() const { return header_; }
  [[nodiscard]] const std::string& origin() const { return origin_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Copies elements [first, first + count) of a tensor to `to`; the range must be inside the
  /// tensor. Throws InputError if the file has become shorter since it was opened.
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
