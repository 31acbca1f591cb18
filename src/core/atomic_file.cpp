// SPDX-License-Identifier: Apache-2.0
// Writing a file whole or not at all: temporary file, sync, rename, sync of the folder.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "core/files.hpp"
#include "medley/error.hpp"

namespace medley::core {
namespace {

constexpr std::size_t kWriteBuffer = std::size_t{1} << 18;

std::string remedy_for(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "make room or write elsewhere";
    case EFBIG:
      return "the limit on file sizes is too low; see ulimit -f";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a folder you may write to";
    default:
      return "check the disk, or write elsewhere";
  }
}

/// The system's words start with a capital; ours follow a colon.
std::string in_words(int error) {
  if (error == ENOSPC) return "no space left on the device";
  return std::generic_category().message(error);
}

[[noreturn]] void refuse_write(const std::string& path, int error) {
  throw RunError(path + ": cannot be written: " + in_words(error) +
                 "; nothing was written, an older file is untouched (" + remedy_for(error) + ")");
}

/// The temporary file. Unless it was renamed into place, it is gone when this goes.
class TemporaryFile : public FileWriter {
 public:
  /// `target` is the place on disk, `shown` the path as the user gave it.
  TemporaryFile(std::string target, std::string shown)
      : target_(std::move(target)), shown_(std::move(shown)) {
    buffer_.reserve(kWriteBuffer);
    create();
  }
  ~TemporaryFile() override {
    if (file_ >= 0) ::close(file_);
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  using FileWriter::write;
  void write(std::span<const std::byte> bytes) override {
    if (buffer_.size() + bytes.size() > kWriteBuffer) flush();
    if (bytes.size() >= kWriteBuffer) {
      write_through(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    } else {
      buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
  }

  void set_permissions(mode_t mode) {
    if (::fchmod(file_, mode) != 0) refuse_write(shown_, errno);
  }

  void put_in_place() {
    flush();
    if (::fsync(file_) != 0) refuse_write(shown_, errno);
    if (::close(std::exchange(file_, -1)) != 0) refuse_write(shown_, errno);
    if (std::rename(name_.c_str(), target_.c_str()) != 0) refuse_write(shown_, errno);
    name_.clear();
  }

 private:
  /// Like mkstemp, but created with the permissions a new file gets from the umask.
  void create() {
    static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::random_device random;
    std::uniform_int_distribution<std::size_t> letter(0, kLetters.size() - 1);
    constexpr int kTries = 100;
    for (int tried = 0; tried < kTries; ++tried) {
      std::string name = target_ + ".tmp-";
      for (int i = 0; i < 6; ++i) name += kLetters[letter(random)];
      file_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file_ >= 0) {
        name_ = std::move(name);
        return;
      }
      if (errno != EEXIST && errno != EINTR) break;
    }
    refuse_write(shown_, errno);
  }

  void flush() {
    write_through(buffer_.data(), buffer_.size());
    buffer_.clear();
  }

  void write_through(const char* bytes, std::size_t size) {
    while (size > 0) {
      const ssize_t written = ::write(file_, bytes, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) refuse_write(shown_, errno);
      bytes += written;
      size -= static_cast<std::size_t>(written);
    }
  }

  std::string target_;
  std::string shown_;
  std::string name_;
  std::string buffer_;
  int file_ = -1;
};

/// The rename itself must reach the disk. Some file systems cannot sync a folder: not our loss.
void sync_folder(const std::filesystem::path& folder, const std::string& path) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  const int error = ::fsync(file) == 0 ? 0 : errno;
  ::close(file);
  if (error == EIO) {
    throw RunError(path + ": was written, but the disk reports an error (" + in_words(error) +
                   "); check the disk before relying on the file");
  }
}

}  // namespace

void write_atomically(const std::string& path, const std::function<void(FileWriter&)>& fill) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  // A link stays a link: the file it points to is replaced.
  fs::path target = path;
  if (fs::is_symlink(target, ignored)) target = fs::weakly_canonical(target, ignored);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) {
    throw InputError(Problem{path, "the folder \"" + folder.string() + "\" does not exist",
                             "create it, or write elsewhere"});
  }
  struct stat old{};
  const bool replaces = ::stat(target.c_str(), &old) == 0;
  if (path.empty() || path.back() == '/' || (replaces && !S_ISREG(old.st_mode))) {
    throw InputError(
        Problem{path, replaces && !S_ISDIR(old.st_mode) ? "is not a regular file" : "is a folder",
                "give the name of a file to write"});
  }
  TemporaryFile file(target.string(), path);
  if (replaces) file.set_permissions(old.st_mode & 0777);
  fill(file);
  file.put_in_place();
  sync_folder(folder, path);
}

}  // namespace medley::core
