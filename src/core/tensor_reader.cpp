// SPDX-License-Identifier: Apache-2.0
#include "core/tensor_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/task.hpp"
#include "medley/error.hpp"

namespace medley::core {
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
  // No file has a header of 2^32 bytes: the length's upper half is 0, so this is text, say a table.
  if (length > size_ - kLengthField && std::ranges::all_of(field, [](unsigned char c) {
        return (c >= ' ' && c <= 0xF4) || std::isspace(c) != 0;
      }))
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
