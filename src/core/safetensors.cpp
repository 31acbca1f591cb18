// SPDX-License-Identifier: Apache-2.0
// Saving and loading: the header is in safetensors_header.cpp, the accessors in tensor_file.cpp.
#include "core/safetensors.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <utility>

#include "core/files.hpp"
#include "core/safetensors_header.hpp"
#include "medley/error.hpp"

namespace medley::core {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are copied as little-endian");

constexpr std::uint64_t kLengthField = 8;

/// Copies bytes [offset, offset + size) of a file or of memory to `to`.
using ReadAt = std::function<void(std::uint64_t offset, std::size_t size, void* to)>;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void refuse_open(const std::string& path, int error) {
  throw InputError(Problem{path, "cannot be read: " + std::generic_category().message(error),
                           error == ENOENT ? "check the name and the folder" : ""});
}

void read_exactly(int file, const std::string& path, std::uint64_t offset, std::size_t size,
                  void* to) {
  auto* next = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = ::pread(file, next, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_open(path, errno);
    if (got == 0) refuse_tensor_file(path, "the file became shorter while it was read");
    next += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
}

/// Room for a whole tensor is only made after the header's sizes were found to fit the file.
template <typename T>
std::vector<T> read_values(const TensorPlace& place, std::uint64_t data, const ReadAt& read) {
  std::vector<T> values((place.end - place.begin) / sizeof(T));
  if (!values.empty()) read(data + place.begin, values.size() * sizeof(T), values.data());
  return values;
}

Tensor read_tensor(const TensorPlace& place, std::uint64_t data, const ReadAt& read) {
  switch (place.type) {
    case ElementType::f64:
      return {place.shape, read_values<double>(place, data, read)};
    case ElementType::i64:
      return {place.shape, read_values<std::int64_t>(place, data, read)};
    case ElementType::f32:
      return {place.shape, read_values<float>(place, data, read)};
    case ElementType::u8:
      break;
  }
  return {place.shape, read_values<std::uint8_t>(place, data, read)};
}

TensorFile read_file(std::uint64_t size, const ReadAt& read, const std::string& origin) {
  if (size < kLengthField) {
    refuse_tensor_file(origin, "the file has " + std::to_string(size) + " bytes, too few for one");
  }
  unsigned char field[kLengthField];
  read(0, kLengthField, field);
  std::uint64_t length = 0;
  for (std::size_t i = kLengthField; i-- > 0;) length = length << 8 | field[i];
  if (length > size - kLengthField) {
    refuse_tensor_file(origin, "the header says " + std::to_string(length) +
                                   " bytes, the file has " + std::to_string(size) +
                                   "; was the file cut short?");
  }
  if (length > kMaxTensorHeader) {
    refuse_tensor_file(origin, "the header says " + std::to_string(length) + " bytes, at most " +
                                   std::to_string(kMaxTensorHeader) + " are allowed");
  }
  std::string text(length, '\0');
  read(kLengthField, text.size(), text.data());
  const std::uint64_t data = kLengthField + length;
  TensorHeader header = parse_tensor_header(text, size - data, origin);
  TensorFile file;
  for (const auto& [name, place] : header.places) {
    file.tensors.emplace(name, read_tensor(place, data, read));
  }
  file.metadata = std::move(header.metadata);
  file.origin = origin;
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
  std::vector<std::string> order;
  for (const auto& [name, tensor] : file.tensors) {
    header.places.emplace(name, placed(name, tensor));
    order.push_back(name);
  }
  std::sort(order.begin(), order.end(), [&](const std::string& a, const std::string& b) {
    const std::size_t width_a = element_size(header.places.at(a).type);
    const std::size_t width_b = element_size(header.places.at(b).type);
    return width_a != width_b ? width_a > width_b : a < b;
  });
  std::uint64_t offset = 0;
  for (const std::string& name : order) {
    TensorPlace& place = header.places.at(name);
    place.begin = offset;
    place.end = offset += bytes_of(file.tensors.at(name)).size();
  }
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
  const ReadAt read = [&](std::uint64_t offset, std::size_t size, void* to) {
    std::memcpy(to, bytes.data() + offset, size);
  };
  return read_file(bytes.size(), read, origin);
}

TensorFile load_tensors(const std::string& path) {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer before it could be refused.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) refuse_open(path, errno);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) refuse_open(path, errno);
  if (!S_ISREG(status.st_mode)) {
    throw InputError(Problem{path,
                             S_ISDIR(status.st_mode) ? "is a folder" : "is not a regular file",
                             "give the name of a model file"});
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const ReadAt read = [&](std::uint64_t offset, std::size_t count, void* to) {
    read_exactly(file.get(), path, offset, count, to);
  };
  if (size > physical_memory()) {
    throw RunError(path + ": has " + std::to_string(size) + " bytes, more than the " +
                   std::to_string(physical_memory()) + " bytes of memory here");
  }
  return read_file(size, read, path);
}

}  // namespace medley::core
