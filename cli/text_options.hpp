// SPDX-License-Identifier: Apache-2.0
// The options for columns of running text, tags and sets.
#pragma once

#include <string>
#include <vector>

#include "command_line.hpp"
#include "medley/read.hpp"

namespace medley::cli {

/// As written on the command line; numbers are checked texts.
struct TextOptions {
  std::string split, stem, min_count, max_share, vocabulary;
  std::vector<std::string> stop_words;
  bool keep_case = false;
};

void add_text_options(Command& command, TextOptions& options);
/// Fills ReadOptions::split and ReadOptions::words.
void read_text_options(const TextOptions& options, ReadOptions& out);

/// What `--column NAME=` would have to say for the column to be taken as it was.
[[nodiscard]] std::string taken_for(const ColumnSpec& column);

}  // namespace medley::cli
