// SPDX-License-Identifier: Apache-2.0
// The stream that comes back from the child process that parses an SPSS, Stata or SAS file
// (statistical_parser.hpp writes it, statistical.hpp reads it). A sequence of frames, each a
// letter and its fields. A number is unsigned, 7 bits a byte, low ones first, the high bit set in
// all but the last byte; a text is the number of its bytes and these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace medley::data {

enum class Frame : char {
  variable = 'V',  ///< name, what it is called (may be empty), name of its value labels (may be
                   ///< empty), number of missing codes, these
  label = 'L',     ///< name of the value labels, code, what the code means
  rows = 'N',      ///< the number of rows that the file promises
  weight = 'W',    ///< name of the variable the file declares to hold weights
  row = 'R',       ///< one cell per variable, see put_cell
  alive = 'A',     ///< nothing: the child is at work
  failed = 'F',    ///< number of the parser's error; the last frame
  end = 'Z'        ///< the number of rows sent; the last frame
};

/// No text is longer than this many bytes.
inline constexpr std::size_t kLongestText = std::size_t{1} << 24;

inline void put_number(std::string& to, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7U) to.push_back(static_cast<char>((number & 0x7FU) | 0x80U));
  to.push_back(static_cast<char>(number));
}

inline void put_frame(std::string& to, Frame frame) {
  to.push_back(static_cast<char>(frame));
}

inline void put_text(std::string& to, std::string_view text) {
  put_number(to, text.size());
  to += text;
}

/// A cell: 0 if it is missing, else 1 + 2 * bytes + (1 if its code stands for a missing value) and
/// the bytes.
inline void put_missing_cell(std::string& to) {
  put_number(to, 0);
}
inline void put_cell(std::string& to, std::string_view text, bool stands_for_missing) {
  put_number(to, 1 + 2 * std::uint64_t{text.size()} + (stands_for_missing ? 1 : 0));
  to += text;
}

}  // namespace medley::data
