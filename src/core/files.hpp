// SPDX-License-Identifier: Apache-2.0
// Reading files, whole or in pieces, and writing them so that a crash or a full disk never leaves
// half a file.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "medley/error.hpp"

namespace medley::core {

/// A stream of bytes from a file, standard input ("-"), or a gz or zst archive of either
/// (recognised by content, not by name). Holds one buffer. Throws InputError for a missing,
/// unreadable or broken file.
class ByteSource {
 public:
  static std::unique_ptr<ByteSource> open(const std::string& path);
  /// From memory, for tests and fuzzing; `name` stands in for the path in messages.
  static std::unique_ptr<ByteSource> from_memory(std::string_view bytes, std::string name);
  virtual ~ByteSource() = default;
  /// The next piece of the stream, valid until the next call; empty at the end.
  virtual std::string_view next() = 0;
  [[nodiscard]] virtual const std::string& name() const = 0;
};

/// The longest line or document (bytes) that is read under this memory limit (bytes, 0: none). It
/// is a small part of the limit, because processing a text takes several times its size.
[[nodiscard]] std::size_t longest_text(std::size_t memory_limit);

/// Reads lines (LF or CRLF; the last may lack its end) from a ByteSource, counting them.
class LineReader {
 public:
  /// Lines longer than this are refused: a file without line ends is not text.
  static constexpr std::size_t kMaxLine = std::size_t{1} << 30;
  /// `memory_limit` as for longest_text.
  explicit LineReader(ByteSource& source, std::size_t memory_limit = 0);
  /// False at the end. `line` is valid until the next call and has no line end.
  bool next(std::string_view& line);
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// The longest line that is accepted, in bytes.
  [[nodiscard]] std::size_t longest() const { return longest_; }

 private:
  ByteSource& source_;
  std::size_t longest_;
  std::string_view piece_;
  std::string joined_;
  std::uint64_t number_ = 0;
  std::uint64_t told_ = 0;  // number of lines already reported as progress
  bool done_ = false;
};

/// Writes a file atomically. What `fill` writes goes to a WholeFile (medley/io.hpp), which is
/// committed only if everything succeeded. Otherwise throws RunError (naming the cause, such as a
/// full disk), removes the temporary file and leaves an existing `path` untouched.
class FileWriter {
 public:
  virtual ~FileWriter() = default;
  virtual void write(std::span<const std::byte> bytes) = 0;
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
};
void write_atomically(const std::string& path, const std::function<void(FileWriter&)>& fill);

/// A file that was not written because Haste left no time for it.
class OutOfTime : public RunError {
 public:
  using RunError::RunError;
};

/// Limits the time for files that this thread writes, as long as it exists: `most` seconds from the
/// moment `asked` (may be null) is set. A large file that is not written by then is given up
/// (OutOfTime) and an older one stays. A file that is written but not synced by then gets its name
/// without the sync: it can be read, but a power failure in the next half minute or so may lose or
/// damage it. For the checkpoints of a program that has to end.
class Haste {
 public:
  Haste(const std::atomic<bool>* asked, std::chrono::duration<double> most);
  ~Haste();
  Haste(const Haste&) = delete;
  Haste& operator=(const Haste&) = delete;
  /// Whether no time is left. Time runs from the first call that finds `asked` set.
  [[nodiscard]] bool ended();

 private:
  const std::atomic<bool>* const asked_;
  const std::chrono::duration<double> most_;
  std::optional<std::chrono::steady_clock::time_point> since_;
  Haste* const before_;
};

/// The content of a short file, such as a schema. Throws InputError if it is longer than `most`
/// bytes.
[[nodiscard]] std::string read_short_file(const std::string& path, std::size_t most);

/// Bytes of physical memory of this machine, and the largest resident size of this process so far.
[[nodiscard]] std::size_t physical_memory();
/// Bytes that this process can still allocate: what is free (caches count as free) on the machine
/// and in its control groups, within the limits of the process; at least 16 MB, because much of the
/// used memory can be reclaimed. `root` is prepended to /proc and /sys, for tests.
[[nodiscard]] std::size_t available_memory(const std::string& root = "");
[[nodiscard]] std::size_t peak_memory();

// A nameless file on disk to append bytes to and copy from later. It holds data that must be
// written after a part whose size depends on it, and that may not fit into memory. The file
// disappears with this object, and when the program dies.

class SpoolFile {
 public:
  /// The file is on the same disk as `beside`, which errors name.
  explicit SpoolFile(const std::string& beside);
  ~SpoolFile();
  SpoolFile(SpoolFile&& other) noexcept;
  SpoolFile& operator=(SpoolFile&&) = delete;
  SpoolFile(const SpoolFile&) = delete;
  SpoolFile& operator=(const SpoolFile&) = delete;

  /// Throws RunError if the disk is full.
  void append(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t size() const { return written_ + buffer_.size(); }
  /// Everything appended so far, in order.
  void copy_to(FileWriter& writer);

 private:
  void flush();

  std::string beside_;
  int file_ = -1;
  std::uint64_t written_ = 0;
  std::string buffer_;
};

}  // namespace medley::core
