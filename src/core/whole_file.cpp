// SPDX-License-Identifier: Apache-2.0
// Writing a file whole or not at all: temporary file, sync, rename, sync of the folder. A lock on
// the temporary file distinguishes one being written from one left by a killed run. Large files are
// written and synced piece by piece, so that a program that was asked to stop can end in time.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "core/files.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"

namespace medley {
namespace core {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWriteBuffer = std::size_t{1} << 18;
constexpr std::string_view kTemporaryMark = ".tmp-";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::size_t kRandomLetters = 6;

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

/// The system's error texts start with a capital; ours follow a colon and do not.
std::string in_words(int error) {
  if (error == ENOSPC) return "no space left on the device";
  return std::generic_category().message(error);
}

[[noreturn]] void refuse_write(const std::string& path, int error) {
  throw RunError(path + ": cannot be written: " + in_words(error) +
                 "; nothing was written, an older file is untouched (" + remedy_for(error) + ")");
}

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// Whether `name` is a temporary file of `of`, or of any file if `of` is empty.
bool is_temporary_name(std::string_view name, std::string_view of) {
  if (name.size() <= kTemporaryMark.size() + kRandomLetters) return false;
  const std::size_t mark = name.size() - kTemporaryMark.size() - kRandomLetters;
  return (of.empty() || name.substr(0, mark) == of) &&
         name.substr(mark, kTemporaryMark.size()) == kTemporaryMark &&
         name.find_first_not_of(kLetters, mark + kTemporaryMark.size()) == std::string_view::npos;
}

/// Removes a file if nobody holds its lock, and it is ours and a plain file with one name.
bool remove_unlocked(const std::string& name) {
  constexpr int kAsIs = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  int file = ::open(name.c_str(), O_RDWR | kAsIs);
  if (file < 0) file = ::open(name.c_str(), O_RDONLY | kAsIs);
  if (file < 0) return false;
  struct stat opened{};
  struct stat named{};
  const bool gone = ::fstat(file, &opened) == 0 && S_ISREG(opened.st_mode) &&
                    opened.st_uid == ::geteuid() && opened.st_nlink == 1 &&
                    ::flock(file, LOCK_EX | LOCK_NB) == 0 && ::lstat(name.c_str(), &named) == 0 &&
                    named.st_ino == opened.st_ino && named.st_dev == opened.st_dev &&
                    ::unlink(name.c_str()) == 0;
  ::close(file);
  return gone;
}

std::size_t remove_temporaries(const fs::path& folder, std::string_view of) {
  std::size_t removed = 0;
  std::error_code ended;
  for (fs::directory_iterator entry(folder, ended), end; !ended && entry != end;
       entry.increment(ended)) {
    if (is_temporary_name(entry->path().filename().string(), of))
      removed += remove_unlocked(entry->path().string()) ? 1U : 0U;
  }
  return removed;
}

/// Refuses a link that somebody else put into a folder where everybody may write. The kernel does
/// the same for open() (protected_symlinks), but not for a rename.
bool is_trap(const fs::path& link) {
  struct stat own{};
  struct stat around{};
  if (::lstat(link.c_str(), &own) != 0 || ::stat(folder_of(link).c_str(), &around) != 0)
    return false;
  return (around.st_mode & S_ISVTX) != 0 && (around.st_mode & S_IWOTH) != 0 &&
         own.st_uid != ::geteuid() && own.st_uid != around.st_uid;
}

/// The file to replace: a link stays a link, and the file it points to is replaced.
fs::path place_of(const std::string& path) {
  std::error_code failed;
  fs::path target = path;
  if (!fs::is_symlink(target, failed)) return target;
  if (is_trap(target)) {
    throw InputError(Problem{path, "is a link that another user put into a shared folder",
                             "remove it, or write elsewhere"});
  }
  target = fs::weakly_canonical(target, failed);
  if (failed) refuse_write(path, failed.value());
  return target;
}

/// Syncs the folder, so that the rename itself reaches the disk. Some file systems cannot sync a
/// folder; that is not an error.
void sync_folder(const fs::path& folder, const std::string& path) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  const int error = ::fsync(file) == 0 ? 0 : errno;
  ::close(file);
  if (error == EIO) {
    throw RunError(path + ": was written, but the disk reports an error (" + in_words(error) +
                   "); check the disk before relying on the file");
  }
}

thread_local Haste* haste_in_force = nullptr;

bool out_of_time() {
  return haste_in_force != nullptr && haste_in_force->ended();
}

constexpr std::uint64_t kPiece = std::uint64_t{8} << 20;
// So much is always written: it takes no longer than to find out that there is no time.
constexpr std::uint64_t kAlways = 4 * kPiece;

/// Writes a file of `size` bytes out to the disk, one piece at a time and a few pieces ahead, which
/// takes as long as one fsync. Returns false if time ran out before the end. Where the system has
/// no such call, it does nothing: fsync does the work.
bool write_out(int file, std::uint64_t size, const std::string& path) {
#ifdef SYNC_FILE_RANGE_WRITE
  constexpr std::uint64_t kAhead = 4 * kPiece;
  const auto piece = [&](std::uint64_t at, unsigned flags) {
    if (::sync_file_range(file, static_cast<off_t>(at), kPiece, flags) == 0) return true;
    // fsync does not report again what is reported here.
    if (errno == EIO || errno == ENOSPC || errno == EDQUOT) refuse_write(path, errno);
    return errno == EINTR;
  };
  for (std::uint64_t at = 0; size > kPiece && at < size + kAhead; at += kPiece) {
    if (out_of_time()) return false;
    if (at < size && !piece(at, SYNC_FILE_RANGE_WRITE)) return true;
    if (at >= kAhead && !piece(at - kAhead, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                                                SYNC_FILE_RANGE_WAIT_AFTER))
      return true;
  }
#endif
  return true;
}

/// What write_atomically hands to its caller.
class WholeFileWriter final : public FileWriter {
 public:
  explicit WholeFileWriter(WholeFile& file) : file_(file) {}
  using FileWriter::write;
  void write(std::span<const std::byte> bytes) override {
    file_.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

 private:
  WholeFile& file_;
};

}  // namespace

void write_atomically(const std::string& path, const std::function<void(FileWriter&)>& fill) {
  WholeFile file(path);
  WholeFileWriter writer(file);
  fill(writer);
  file.commit();
}

Haste::Haste(const std::atomic<bool>* asked, std::chrono::duration<double> most)
    : asked_(asked), most_(most), before_(haste_in_force) {
  haste_in_force = this;
}

bool Haste::ended() {
  if (asked_ == nullptr || !asked_->load()) return false;
  const auto now = std::chrono::steady_clock::now();
  if (!since_) since_ = now;
  return now - *since_ >= most_;
}

Haste::~Haste() {
  haste_in_force = before_;
}

}  // namespace core

WholeFile::WholeFile(const std::string& path) : path_(path) {
  const core::fs::path target = core::place_of(path);
  const core::fs::path folder = core::folder_of(target);
  std::error_code ignored;
  if (!core::fs::is_directory(folder, ignored)) {
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
  target_ = target.string();
  core::remove_temporaries(folder, target.filename().string());
  buffer_.reserve(core::kWriteBuffer);
  // At no moment does the file have more permissions than the one that it replaces.
  create(replaces ? old.st_mode & 0777U : 0666U);
  if (replaces && ::fchmod(file_, old.st_mode & 0777U) != 0) {
    const int error = errno;
    ::close(file_);
    ::unlink(temporary_.c_str());
    core::refuse_write(path_, error);
  }
}

WholeFile::~WholeFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (file_ >= 0) ::close(file_);
}

/// Like mkstemp, but with permissions according to the umask, and locked.
void WholeFile::create(unsigned mode) {
  std::random_device random;
  std::uniform_int_distribution<std::size_t> letter(0, core::kLetters.size() - 1);
  constexpr int kTries = 100;
  for (int tried = 0; tried < kTries; ++tried) {
    std::string name = target_ + std::string(core::kTemporaryMark);
    for (std::size_t i = 0; i < core::kRandomLetters; ++i) name += core::kLetters[letter(random)];
    file_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (file_ < 0) {
      if (errno != EEXIST && errno != EINTR) break;
      continue;
    }
    // Another run that removes abandoned files may have been faster than our lock. Without locks in
    // the file system, that run does not get one either.
    struct stat status{};
    const bool taken = ::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && ::fstat(file_, &status) == 0 && status.st_nlink == 1) {
      temporary_ = std::move(name);
      return;
    }
    ::unlink(name.c_str());
    ::close(std::exchange(file_, -1));
    errno = EAGAIN;
  }
  core::refuse_write(path_, errno);
}

void WholeFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > core::kWriteBuffer) flush();
  if (bytes.size() >= core::kWriteBuffer) {
    write_through(bytes);
  } else {
    buffer_.append(bytes);
  }
}

void WholeFile::flush() {
  write_through(buffer_);
  buffer_.clear();
}

void WholeFile::write_through(std::string_view bytes) {
  while (!bytes.empty()) {
    if (core::out_of_time() && size_ >= core::kAlways)
      throw core::OutOfTime(path_ + ": there was no time to write it");
    const std::size_t piece = std::min<std::size_t>(bytes.size(), core::kPiece);
    const ssize_t written = ::write(file_, bytes.data(), piece);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) core::refuse_write(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    size_ += static_cast<std::uint64_t>(written);
  }
}

void WholeFile::commit() {
  flush();
  const bool synced = core::write_out(file_, size_, path_) && !core::out_of_time();
  if (synced && ::fsync(file_) != 0) core::refuse_write(path_, errno);
  // Close, and so unlock, the file only when no other run can remove it any more.
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) core::refuse_write(path_, errno);
  temporary_.clear();
  ::close(std::exchange(file_, -1));
  if (synced) core::sync_folder(core::folder_of(target_), path_);
}

void remove_abandoned(const std::string& path) {
  if (path.empty()) return;
  std::error_code failed;
  core::fs::path target = path;
  if (core::fs::is_symlink(target, failed)) {
    target = core::fs::weakly_canonical(target, failed);
    if (failed) return;
  }
  core::remove_temporaries(core::folder_of(target), target.filename().string());
}

std::size_t remove_abandoned_in(const std::string& folder) {
  return core::remove_temporaries(folder, "");
}

}  // namespace medley
