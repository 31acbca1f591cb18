// SPDX-License-Identifier: Apache-2.0
#include "data/formats/text_lines.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/text.hpp"

namespace medley::data {

bool TextLines::next(std::string_view& line) {
  if (!lines_.next(line)) return false;
  if (number() > 1) return true;
  if (line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF")) {
    throw InputError({file_, "is UTF-16 text, UTF-8 is expected",
                      "convert it, e.g. iconv -f UTF-16 -t UTF-8, or save it as CSV UTF-8"});
  }
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  return true;
}

void note_invalid_utf8(std::string_view text, std::size_t at, core::Problems& problems,
                       std::string where) {
  if (text[at] == '\0') {
    problems.add(std::move(where), fmt::format("a NUL byte at byte {}, this is not text", at + 1),
                 "check that this is the right file");
    return;
  }
  problems.add(std::move(where),
               fmt::format("{} is not UTF-8 (byte {})", core::quoted(text), at + 1),
               "`encoding` says how the file is written: latin-1, cp1252, utf-16 ...");
}

void note_lone_return(core::Problems& problems, std::string where) {
  problems.add(std::move(where), "a carriage return that does not end the line",
               "convert the line ends to LF or CRLF, e.g. tr '\\r' '\\n'");
}

bool check_text_line(std::string_view line, core::Problems& problems, const TextLines& lines) {
  const std::size_t at = core::find_invalid_utf8(line);
  if (at != std::string_view::npos) {
    note_invalid_utf8(line, at, problems, lines.where());
    return false;
  }
  if (line.find('\r') != std::string_view::npos) {
    note_lone_return(problems, lines.where());
    return false;
  }
  return true;
}

void refuse_empty(const std::string& file) {
  throw InputError({file, "is empty", "check that this is the right file"});
}

}  // namespace medley::data
