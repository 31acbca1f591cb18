// SPDX-License-Identifier: Apache-2.0
// Sources of bytes (a file, standard input, memory), lines, and files written whole.
#include "core/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/decompress.hpp"
#include "core/task.hpp"
#include "medley/error.hpp"

namespace medley::core {
namespace {

/// The error text for errno, with a remedy if there is one.
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

std::string read_short_file(const std::string& path, std::size_t most) {
  std::string out;
  const auto source = ByteSource::open(path);
  for (std::string_view piece = source->next(); !piece.empty(); piece = source->next()) {
    if (piece.size() > most - out.size()) {
      throw InputError(
          {path, "has more than " + std::to_string(most) + " bytes", "is this the right file?"});
    }
    out += piece;
  }
  return out;
}

// Splits pieces into lines. A line inside one piece is a view of it; only a line that spans pieces
// is copied.

namespace {

constexpr std::size_t kLinesInMemory = 16;
constexpr std::size_t kShortestLimit = std::size_t{1} << 16;

}  // namespace

std::size_t longest_text(std::size_t memory_limit) {
  if (memory_limit == 0) return LineReader::kMaxLine;
  return std::clamp(memory_limit / kLinesInMemory, kShortestLimit, LineReader::kMaxLine);
}

LineReader::LineReader(ByteSource& source, std::size_t memory_limit)
    : source_(source), longest_(longest_text(memory_limit)) {}

bool LineReader::next(std::string_view& line) {
  stop_if_asked();
  joined_.clear();
  for (;;) {
    if (piece_.empty() && !done_) {
      advance(number_ - told_);
      told_ = number_;
      piece_ = source_.next();
      done_ = piece_.empty();
    }
    const std::size_t end = piece_.find('\n');
    const std::string_view part = piece_.substr(0, end);
    if (part.size() > longest_ - joined_.size()) {
      throw InputError({source_.name() + ":" + std::to_string(number_ + 1),
                        "the line is longer than " + std::to_string(longest_) + " bytes",
                        longest_ < kMaxLine
                            ? "is this a text file with line ends? If so, raise the memory limit"
                            : "this does not look like a text file with line ends"});
    }
    if (end == std::string_view::npos) {
      joined_.append(part);
      piece_ = {};
      if (!done_) continue;
      if (joined_.empty()) return false;
      line = joined_;  // the last line, without its end
      ++number_;
      return true;
    }
    piece_.remove_prefix(end + 1);
    line = part;
    if (!joined_.empty()) line = joined_.append(part);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return true;
  }
}

namespace {

constexpr std::size_t kSpoolBuffer = std::size_t{1} << 16;

[[noreturn]] void refuse_spool(const std::string& beside, int error) {
  throw RunError(
      beside + ": cannot be prepared: " +
      (error == ENOSPC ? "no space left on the device" : std::generic_category().message(error)) +
      "; nothing was written (make room or write elsewhere)");
}

}  // namespace

SpoolFile::SpoolFile(const std::string& beside) : beside_(beside) {
  const std::filesystem::path folder = std::filesystem::path(beside).parent_path();
  // Create the file without a name, if the file system supports it.
  file_ = ::open((folder.empty() ? "." : folder).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file_ >= 0) return;
  std::string name = ((folder.empty() ? "." : folder) / ".medley-spool-XXXXXX").string();
  file_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (file_ < 0 && errno == ENOENT) {
    throw InputError(Problem{beside, "the folder \"" + folder.string() + "\" does not exist",
                             "create it, or write elsewhere"});
  }
  if (file_ < 0) refuse_spool(beside_, errno);
  ::unlink(name.c_str());
}

SpoolFile::SpoolFile(SpoolFile&& other) noexcept
    : beside_(std::move(other.beside_)),
      file_(std::exchange(other.file_, -1)),
      written_(other.written_),
      buffer_(std::move(other.buffer_)) {}

SpoolFile::~SpoolFile() {
  if (file_ >= 0) ::close(file_);
}

void SpoolFile::append(std::span<const std::byte> bytes) {
  buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (buffer_.size() >= kSpoolBuffer) flush();
}

void SpoolFile::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t wrote = ::pwrite(file_, buffer_.data() + done, buffer_.size() - done,
                                   static_cast<off_t>(written_ + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) refuse_spool(beside_, errno);
    done += static_cast<std::size_t>(wrote);
  }
  written_ += buffer_.size();
  buffer_.clear();
}

void SpoolFile::copy_to(FileWriter& writer) {
  flush();
  std::string piece(kSpoolBuffer, '\0');
  for (std::uint64_t at = 0; at < written_;) {
    stop_if_asked();
    const ssize_t got = ::pread(file_, piece.data(), piece.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) refuse_spool(beside_, got < 0 ? errno : EIO);
    writer.write(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
    at += static_cast<std::uint64_t>(got);
  }
}

}  // namespace medley::core
