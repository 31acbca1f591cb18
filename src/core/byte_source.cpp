// SPDX-License-Identifier: Apache-2.0
// Where bytes come from: a file, standard input, or memory.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/task.hpp"

#include "core/decompress.hpp"
#include "core/files.hpp"
#include "medley/error.hpp"

namespace medley::core {
namespace {

/// The words for errno, with a remedy where there is one.
[[noreturn]] void cannot_open(const std::string& path, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      throw InputError({path, "no such file", "check the path"});
    case EACCES:
    case EPERM:
      throw InputError({path, "no permission to read it", "change its permissions, e.g. chmod +r"});
    case EISDIR:
      throw InputError({path, "is a directory, not a file", "name a file in it"});
    default:
      throw InputError({path, std::string("cannot be read: ") + std::strerror(error), ""});
  }
}

class FileSource final : public ByteSource {
 public:
  FileSource(int file, bool owned, std::string name)
      : file_(file), owned_(owned), name_(std::move(name)), buffer_(kPieceSize, '\0') {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override {
    if (owned_) ::close(file_);
  }

  [[nodiscard]] const std::string& name() const override { return name_; }

  std::string_view next() override {
    stop_if_asked();
    for (;;) {
      const ssize_t got = ::read(file_, buffer_.data(), buffer_.size());
      if (got >= 0) return {buffer_.data(), static_cast<std::size_t>(got)};
      if (errno != EINTR) cannot_open(name_, errno);
      stop_if_asked();
    }
  }

 private:
  int file_;
  bool owned_;
  std::string name_;
  std::string buffer_;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}
  [[nodiscard]] const std::string& name() const override { return name_; }
  std::string_view next() override { return std::exchange(bytes_, {}); }

 private:
  std::string_view bytes_;
  std::string name_;
};

}  // namespace

std::unique_ptr<ByteSource> ByteSource::open(const std::string& path) {
  if (path == "-")
    return decompressed(std::make_unique<FileSource>(STDIN_FILENO, false, "standard input"));
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) cannot_open(path, errno);
  auto source = std::make_unique<FileSource>(file, true, path);
  struct stat status{};
  if (::fstat(file, &status) != 0) cannot_open(path, errno);
  if (S_ISDIR(status.st_mode)) cannot_open(path, EISDIR);
  return decompressed(std::move(source));
}

std::unique_ptr<ByteSource> ByteSource::from_memory(std::string_view bytes, std::string name) {
  return std::make_unique<MemorySource>(bytes, std::move(name));
}

}  // namespace medley::core
