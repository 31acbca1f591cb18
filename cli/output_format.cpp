// SPDX-License-Identifier: Apache-2.0
#include "output_format.hpp"

#include <filesystem>

#include "checks.hpp"
#include "csv.hpp"
#include "flags.hpp"
#include "output.hpp"

namespace medley::cli {

TextFormat OutputFormat::format() const {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (name == "csv" || name == "excel" || (name.empty() && ending == ".csv"))
    return TextFormat::csv;
  if (name == "md" || (name.empty() && ending == ".md")) return TextFormat::md;
  if (name == "latex" || (name.empty() && ending == ".tex")) return TextFormat::latex;
  return TextFormat::text;
}

void add_output_format(Command& command, OutputFormat& output) {
  command.add_option("-o,--output", output.path, "write to a file instead of standard output")
      .type_name("FILE");
  command
      .add_option("--output-format", output.name,
                  "text, csv, excel (CSV with the mark that Excel needs for UTF-8), md or latex;\n"
                  "default by the ending of -o: .csv, .md, .tex, else text")
      .type_name("FORMAT")
      .check(one_of({"text", "csv", "excel", "md", "latex"}));
  add_safe_csv(command);
}

void add_safe_csv(Command& command) {
  command.add_flag("--safe-csv", csv_is_safe(),
                   "CSV for spreadsheets: puts an apostrophe before texts that they would\n"
                   "read as formulas (=, +, -, @)");
}

void write_formatted(const OutputFormat& output, const std::string& text) {
  const bool as_in_files = output.format() == TextFormat::csv;
  write_text(
      output.path,
      (output.for_excel() ? "\xEF\xBB\xBF" : "") + (as_in_files ? as_asked(text) : as_flags(text)),
      as_in_files ? Text::as_in_files : Text::safe);
}

}  // namespace medley::cli
