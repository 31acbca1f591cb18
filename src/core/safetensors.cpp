// SPDX-License-Identifier: Apache-2.0
// Saving and loading safetensors files, whole and in pieces; safetensors_header.cpp has the header.
#include "core/safetensors.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <utility>

#include "core/files.hpp"
#include "core/task.hpp"
#include "medley/error.hpp"

namespace medley::core {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are copied as little-endian");

/// Memory for a whole tensor is allocated only after checking that the header's sizes fit the file.
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

// Typed, checked access to the arrays of a TensorFile.

namespace {

[[noreturn]] void refuse(const TensorFile& file, std::string what) {
  throw InputError(Problem{file.origin, std::move(what),
                           "written by another version, or not a Medley model; fit it again"});
}

template <typename T>
void put_values(TensorFile& file, const std::string& name, std::vector<T> values,
                std::vector<std::uint64_t> shape) {
  if (shape.empty()) shape = {values.size()};
  file.tensors[name] = Tensor{std::move(shape), std::move(values)};
}

template <typename T>
const std::vector<T>& take_values(const TensorFile& file, const std::string& name,
                                  std::size_t count, const char* type) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end()) refuse(file, "lacks the array \"" + name + "\"");
  const auto* values = std::get_if<std::vector<T>>(&found->second.values);
  if (values == nullptr) refuse(file, "the array \"" + name + "\" is not of type " + type);
  if (count != TensorFile::npos && values->size() != count) {
    refuse(file, "the array \"" + name + "\" has " + std::to_string(values->size()) +
                     " values, not " + std::to_string(count));
  }
  return *values;
}

}  // namespace

void TensorFile::put(const std::string& name, std::vector<double> values,
                     std::vector<std::uint64_t> shape) {
  put_values(*this, name, std::move(values), std::move(shape));
}

void TensorFile::put(const std::string& name, std::vector<float> values,
                     std::vector<std::uint64_t> shape) {
  put_values(*this, name, std::move(values), std::move(shape));
}

void TensorFile::put(const std::string& name, std::vector<std::int64_t> values,
                     std::vector<std::uint64_t> shape) {
  put_values(*this, name, std::move(values), std::move(shape));
}

void TensorFile::put_strings(const std::string& name, const std::vector<std::string>& strings) {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> offsets = {0};
  for (const std::string& text : strings) {
    bytes.insert(bytes.end(), text.begin(), text.end());
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  put_values(*this, name + ".bytes", std::move(bytes), {});
  put_values(*this, name + ".offsets", std::move(offsets), {});
}

bool TensorFile::has(const std::string& name) const {
  return tensors.contains(name) || tensors.contains(name + ".offsets");
}

const std::vector<double>& TensorFile::doubles(const std::string& name, std::size_t count) const {
  return take_values<double>(*this, name, count, "F64");
}

const std::vector<float>& TensorFile::floats(const std::string& name, std::size_t count) const {
  return take_values<float>(*this, name, count, "F32");
}

const std::vector<std::int64_t>& TensorFile::integers(const std::string& name,
                                                      std::size_t count) const {
  return take_values<std::int64_t>(*this, name, count, "I64");
}

std::vector<std::string> TensorFile::strings(const std::string& name) const {
  const std::string bytes_name = name + ".bytes";  // no temporary: newer g++ warn
  const auto& bytes = take_values<std::uint8_t>(*this, bytes_name, npos, "U8");
  const auto& offsets = integers(name + ".offsets");
  const auto size = static_cast<std::int64_t>(bytes.size());
  bool sound = !offsets.empty() && offsets.front() == 0 && offsets.back() == size;
  for (std::size_t i = 1; sound && i < offsets.size(); ++i) sound = offsets[i - 1] <= offsets[i];
  if (!sound) refuse(*this, "the strings \"" + name + "\" have offsets out of order");
  std::vector<std::string> out;
  out.reserve(offsets.size() - 1);
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    out.emplace_back(bytes.begin() + offsets[i - 1], bytes.begin() + offsets[i]);
  }
  return out;
}

const std::string& TensorFile::meta(const std::string& key) const {
  const auto found = metadata.find(key);
  if (found == metadata.end()) refuse(*this, "lacks the entry \"" + key + "\"");
  return found->second;
}

namespace {

constexpr std::uint64_t kLengthField = 8;

[[noreturn]] void refuse_open(const std::string& path, int error) {
  throw InputError(Problem{path, "cannot be read: " + std::generic_category().message(error),
                           error == ENOENT ? "check the name and the folder" : ""});
}

}  // namespace

class TensorReader::Bytes {
 public:
  Bytes() = default;
  virtual ~Bytes() = default;
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  virtual void read(std::uint64_t offset, std::size_t size, void* to) const = 0;
};

class TensorReader::FileBytes final : public Bytes {
 public:
  // Without O_NONBLOCK, opening a named pipe would wait for a writer before it could be refused.
  explicit FileBytes(std::string path)
      : path_(std::move(path)), file_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (file_ < 0) refuse_open(path_, errno);
  }
  ~FileBytes() override {
    if (file_ >= 0) ::close(file_);
  }

  [[nodiscard]] std::uint64_t size(const std::string& wanted) const {
    struct stat status{};
    if (::fstat(file_, &status) != 0) refuse_open(path_, errno);
    if (!S_ISREG(status.st_mode)) {
      throw InputError(Problem{path_,
                               S_ISDIR(status.st_mode) ? "is a folder" : "is not a regular file",
                               "give the name of " + wanted});
    }
    return static_cast<std::uint64_t>(status.st_size);
  }

  void read(std::uint64_t offset, std::size_t size, void* to) const override {
    auto* next = static_cast<char*>(to);
    while (size > 0) {
      stop_if_asked();
      const ssize_t got = ::pread(file_, next, size, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) refuse_open(path_, errno);
      if (got == 0) refuse_tensor_file(path_, "the file became shorter while it was read");
      next += got;
      offset += static_cast<std::uint64_t>(got);
      size -= static_cast<std::size_t>(got);
    }
  }

 private:
  std::string path_;
  int file_;
};

class TensorReader::MemoryBytes final : public Bytes {
 public:
  explicit MemoryBytes(std::string_view bytes) : bytes_(bytes) {}
  void read(std::uint64_t offset, std::size_t size, void* to) const override {
    if (size > 0) std::memcpy(to, bytes_.data() + offset, size);
  }

 private:
  std::string_view bytes_;
};

TensorReader TensorReader::open(const std::string& path, const std::string& wanted,
                                std::uint64_t most) {
  auto file = std::make_shared<FileBytes>(path);
  const std::uint64_t size = file->size(wanted);
  if (size > most) {
    throw RunError(path + ": has " + std::to_string(size) + " bytes, more than the " +
                   std::to_string(most) + " bytes of memory here");
  }
  return {std::move(file), size, path};
}

TensorReader TensorReader::from_memory(std::string_view bytes, const std::string& origin) {
  return {std::make_shared<MemoryBytes>(bytes), bytes.size(), origin};
}

TensorReader::TensorReader(std::shared_ptr<const Bytes> bytes, std::uint64_t size,
                           std::string origin)
    : bytes_(std::move(bytes)), size_(size), origin_(std::move(origin)) {
  if (size_ < kLengthField) {
    refuse_tensor_file(origin_,
                       "the file has " + std::to_string(size_) + " bytes, too few for one");
  }
  unsigned char field[kLengthField];
  bytes_->read(0, kLengthField, field);
  std::uint64_t length = 0;
  for (std::size_t i = kLengthField; i-- > 0;) length = length << 8 | field[i];
  // No header is 2^32 bytes long, so the upper half of the length is 0. Otherwise this is text,
  // such as a table, in UTF-8 or Latin-1, or in UTF-16, which begins with its mark.
  const bool marked =
      (field[0] == 0xFF && field[1] == 0xFE) || (field[0] == 0xFE && field[1] == 0xFF);
  if (length > size_ - kLengthField && (marked || std::ranges::all_of(field, [](unsigned char c) {
                                          return (c >= ' ' && c < 0xFF) || std::isspace(c) != 0;
                                        })))
    refuse_tensor_file(origin_, "it begins like a text file");
  if (length > size_ - kLengthField) {
    refuse_tensor_file(origin_, "the header says " + std::to_string(length) +
                                    " bytes, the file has " + std::to_string(size_) +
                                    "; was the file cut short?");
  }
  if (length > kMaxTensorHeader) {
    refuse_tensor_file(origin_, "the header says " + std::to_string(length) + " bytes, at most " +
                                    std::to_string(kMaxTensorHeader) + " are allowed");
  }
  std::string text(length, '\0');
  bytes_->read(kLengthField, text.size(), text.data());
  data_ = kLengthField + length;
  header_ = parse_tensor_header(text, size_ - data_, origin_);
}

void TensorReader::read(const TensorPlace& place, std::uint64_t first, std::size_t count,
                        void* to) const {
  const std::size_t width = element_size(place.type);
  bytes_->read(data_ + place.begin + first * width, count * width, to);
}

}  // namespace medley::core
