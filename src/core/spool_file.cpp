// SPDX-License-Identifier: Apache-2.0
#include "core/spool_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/task.hpp"
#include "medley/error.hpp"

namespace medley::core {
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
