// SPDX-License-Identifier: Apache-2.0
// Saving and loading: the header is in safetensors_header.cpp, the accessors in tensor_file.cpp.
#include "core/safetensors.hpp"

#include <bit>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/files.hpp"
#include "core/safetensors_header.hpp"
#include "core/tensor_reader.hpp"
#include "medley/error.hpp"

namespace medley::core {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are copied as little-endian");

/// Room for a whole tensor is only made after the header's sizes were found to fit the file.
template <typename T>
std::vector<T> read_values(const TensorReader& reader, const TensorPlace& place) {
  std::vector<T> values((place.end - place.begin) / sizeof(T));
  reader.read(place, 0, values.size(), values.data());
  return values;
}

Tensor read_tensor(const TensorReader& reader, const TensorPlace& place) {
  switch (place.type) {
    case ElementType::f64:
      return {place.shape, read_values<double>(reader, place)};
    case ElementType::i64:
      return {place.shape, read_values<std::int64_t>(reader, place)};
    case ElementType::f32:
      return {place.shape, read_values<float>(reader, place)};
    case ElementType::u32:
      return {place.shape, read_values<std::uint32_t>(reader, place)};
    case ElementType::u8:
      break;
  }
  return {place.shape, read_values<std::uint8_t>(reader, place)};
}

TensorFile read_file(const TensorReader& reader) {
  TensorFile file;
  for (const auto& [name, place] : reader.header().places) {
    file.tensors.emplace(name, read_tensor(reader, place));
  }
  file.metadata = reader.header().metadata;
  file.origin = reader.origin();
  return file;
}

std::span<const std::byte> bytes_of(const Tensor& tensor) {
  return std::visit([](const auto& values) { return std::as_bytes(std::span(values)); },
                    tensor.values);
}

TensorPlace placed(const std::string& name, const Tensor& tensor) {
  TensorPlace place{static_cast<ElementType>(tensor.values.index()), tensor.shape, 0, 0};
  std::uint64_t bytes = 0;
  if (name == "__metadata__" || tensor.shape.size() > kMaxTensorRank ||
      !tensor_bytes(tensor.shape, place.type, bytes) || bytes != bytes_of(tensor).size()) {
    throw std::logic_error("tensor \"" + name + "\": the name, or a shape other than its values");
  }
  return place;
}

void write_file(const TensorFile& file, FileWriter& writer) {
  TensorHeader header{file.metadata, {}};
  for (const auto& [name, tensor] : file.tensors) header.places.emplace(name, placed(name, tensor));
  const std::vector<std::string> order = place_tensors(header);
  writer.write(format_tensor_header(header, order));
  for (const std::string& name : order) writer.write(bytes_of(file.tensors.at(name)));
}

class StringWriter : public FileWriter {
 public:
  using FileWriter::write;
  void write(std::span<const std::byte> bytes) override {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  std::string text;
};

}  // namespace

void save_tensors(const TensorFile& file, const std::string& path) {
  write_atomically(path, [&](FileWriter& writer) { write_file(file, writer); });
}

std::string serialise_tensors(const TensorFile& file) {
  StringWriter writer;
  write_file(file, writer);
  return std::move(writer.text);
}

TensorFile parse_tensors(std::string_view bytes, const std::string& origin) {
  return read_file(TensorReader::from_memory(bytes, origin));
}

TensorFile load_tensors(const std::string& path) {
  return read_file(TensorReader::open(path, "a model file", available_memory()));
}

}  // namespace medley::core
