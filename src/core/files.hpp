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

/// Reads lines (LF or CRLF; the last may lack its end) from a ByteSource, counting them.
class LineReader {
 public:
  /// Lines longer than this are refused: a file without line ends is not text.
  static constexpr std::size_t kMaxLine = std::size_t{1} << 30;
  explicit LineReader(ByteSource& source) : source_(source) {}
  /// False at the end. `line` is valid until the next call and has no line end.
  bool next(std::string_view& line);
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  ByteSource& source_;
  std::string_view piece_;
  std::string joined_;
  std::uint64_t number_ = 0;
  std::uint64_t told_ = 0;  // lines that progress was told of
  bool done_ = false;
};

/// Writes a file atomically: `fill` writes to a temporary file beside `path`, which is synced and
/// renamed over it only if everything succeeded. Throws RunError (naming the cause, e.g. a full
/// disk) and removes the temporary file otherwise; an existing `path` is then untouched.
class FileWriter {
 public:
  virtual ~FileWriter() = default;
  virtual void write(std::span<const std::byte> bytes) = 0;
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
};
void write_atomically(const std::string& path, const std::function<void(FileWriter&)>& fill);

/// Bytes of physical memory of this machine, and the largest resident size of this process so far.
[[nodiscard]] std::size_t physical_memory();
[[nodiscard]] std::size_t peak_memory();

}  // namespace medley::core
