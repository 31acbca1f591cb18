// SPDX-License-Identifier: Apache-2.0
// Files, read whole or in pieces, and written so that a crash or a full disk never leaves half a
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace medley::core {

/// A stream of bytes from a file, standard input ("-"), or a gz or zst archive of either (by
/// content, not by name). Bounded: holds one buffer. Throws InputError for a missing, unreadable or
/// broken file.
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

/// The longest line, or document, that is read where reading may take so much memory (bytes, 0: no
/// limit): a small part of it, because what is made of it takes several times its room.
[[nodiscard]] std::size_t longest_text(std::size_t memory_limit);

/// Reads lines (LF or CRLF; the last may lack its end) from a ByteSource, counting them.
class LineReader {
 public:
  /// Lines longer than this are refused: a file without line ends is not text.
  static constexpr std::size_t kMaxLine = std::size_t{1} << 30;
  /// `memory_limit` as of longest_text.
  explicit LineReader(ByteSource& source, std::size_t memory_limit = 0);
  /// False at the end. `line` is valid until the next call and has no line end.
  bool next(std::string_view& line);
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// The longest line that is read.
  [[nodiscard]] std::size_t longest() const { return longest_; }

 private:
  ByteSource& source_;
  std::size_t longest_;
  std::string_view piece_;
  std::string joined_;
  std::uint64_t number_ = 0;
  std::uint64_t told_ = 0;  // lines that progress was told of
  bool done_ = false;
};

/// Writes a file atomically: what `fill` writes goes to a WholeFile (medley/io.hpp), which
/// is committed only if everything succeeded. Throws RunError (naming the cause, e.g. a full disk)
/// and removes the temporary file otherwise; an existing `path` is then untouched.
class FileWriter {
 public:
  virtual ~FileWriter() = default;
  virtual void write(std::span<const std::byte> bytes) = 0;
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
};
void write_atomically(const std::string& path, const std::function<void(FileWriter&)>& fill);

/// A short file whole, such as a schema. Throws InputError if it has more than `most` bytes.
[[nodiscard]] std::string read_short_file(const std::string& path, std::size_t most);

/// Bytes of physical memory of this machine, and the largest resident size of this process so far.
[[nodiscard]] std::size_t physical_memory();
/// Bytes that this process can still have: what is free (caches count as free) on the machine and
/// in its control groups, within the limits of the process; 16 MB if that is less, because much of
/// what is used can be given back. `root` goes before /proc and /sys, for tests.
[[nodiscard]] std::size_t available_memory(const std::string& root = "");
[[nodiscard]] std::size_t peak_memory();

// A nameless file on disk that bytes are appended to and then copied from: for what must be written
// after something whose size it decides, and may not fit into memory. It is gone when this goes, or
// when the program dies.

class SpoolFile {
 public:
  /// On the disk of the folder that `beside` is to be written to; named in errors.
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
