// SPDX-License-Identifier: Apache-2.0
// NAME=FILE arguments: "words=docs.ldac" is a named source, "docs.ldac" an unnamed one.
#include <algorithm>

#include "medley/error.hpp"
#include "medley/io.hpp"

namespace medley {
namespace {

// Bytes above 127 belong to UTF-8 letters; a file name with '=' in it can be written ./a=b.csv.
bool is_name_byte(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c >= 0x80;
}

}  // namespace

Source parse_source(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  const std::string name = argument.substr(0, equals == std::string::npos ? 0 : equals);
  const bool named = !name.empty() && name.front() != '.' && name.front() != '-' &&
                     std::all_of(name.begin(), name.end(), [](char c) {
                       return is_name_byte(static_cast<unsigned char>(c));
                     });
  Source source{named ? name : "", named ? argument.substr(equals + 1) : argument};
  if (source.path.empty()) {
    throw InputError({"\"" + argument + "\"", "no file is named",
                      "give a path, NAME=PATH, or - for standard input"});
  }
  return source;
}

}  // namespace medley
