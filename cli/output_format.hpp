// SPDX-License-Identifier: Apache-2.0
// How a table is written: as --output-format says, else as the ending of the file named with -o
// does, else as text for people. (--format is how data is read.)
#pragma once

#include <string>

#include "command_line.hpp"
#include "medley/report.hpp"

namespace medley::cli {

struct OutputFormat {
  std::string path;  ///< -o; empty: standard output
  std::string name;  ///< --output-format; empty: by the ending of the path
  /// Whether the file is CSV for Excel: that reads UTF-8 only after a byte-order mark.
  [[nodiscard]] bool for_excel() const { return name == "excel"; }
  [[nodiscard]] TextFormat format() const;
};

/// -o FILE and --output-format.
void add_output_format(Command& command, OutputFormat& output);

/// --safe-csv, of every command that writes CSV for people.
void add_safe_csv(Command& command);

/// Writes the text there, with the mark that Excel needs if it is for Excel.
void write_formatted(const OutputFormat& output, const std::string& text);

}  // namespace medley::cli
