// SPDX-License-Identifier: Apache-2.0
// Lines of a text file as every format wants them: without a byte-order mark, refused if UTF-16,
// and with their place in the file for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/files.hpp"
#include "core/problems.hpp"

namespace medley::data {

class TextLines {
 public:
  /// `memory_limit` as of LineReader.
  explicit TextLines(core::ByteSource& source, std::size_t memory_limit = 0)
      : lines_(source, memory_limit), file_(source.name()) {}
  /// As LineReader::next.
  bool next(std::string_view& line);
  [[nodiscard]] std::uint64_t number() const { return lines_.number(); }
  [[nodiscard]] std::size_t longest() const { return lines_.longest(); }
  [[nodiscard]] const std::string& file() const { return file_; }
  /// "file:line" of the current line, or of line `number`.
  [[nodiscard]] std::string where() const { return where(number()); }
  [[nodiscard]] std::string where(std::uint64_t number) const {
    return file_ + ":" + std::to_string(number);
  }

 private:
  core::LineReader lines_;
  std::string file_;
};

/// Notes that `text` is not UTF-8 from byte `at` on.
void note_invalid_utf8(std::string_view text, std::size_t at, core::Problems& problems,
                       std::string where);
/// Notes a carriage return that is not part of a line end.
void note_lone_return(core::Problems& problems, std::string where);

/// False, with a problem noted, if the line is not UTF-8 or holds a lone carriage return.
bool check_text_line(std::string_view line, core::Problems& problems, const TextLines& lines);

/// Throws: the file holds nothing.
[[noreturn]] void refuse_empty(const std::string& file);

}  // namespace medley::data
