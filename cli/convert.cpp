// SPDX-License-Identifier: Apache-2.0
// medley convert: data into another file, with the treatments that papers give it.
#include <fmt/format.h>

#include <memory>

#include "checks.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "flags.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "medley/report.hpp"
#include "output.hpp"
#include "signals.hpp"
#include "terminal.hpp"
#include "written_files.hpp"

namespace medley::cli {
namespace {

constexpr const char* kConvertHelp = R"(Write data as another file: binarised, thinned out, sampled.

What was done is recorded in FILE.schema.toml beside the file; --schema reads the file by it. A
stream file (FILE.stream) holds its schema and can be larger than memory: `medley fit --batch` reads
it a little at a time. LDA-C and sorted docword files are converted in bounded memory.

Examples:
  medley convert ratings.csv --format triplets --binarise '>=4' -o liked.csv
  medley convert sales.csv --format triplets --binarise '>median' --min-row 10 --min-column 10 -o sales2.csv
  medley convert ratings.csv --format triplets --binarise '>=4' --ones-as-tokens -o liked.ldac
  medley convert docs.ldac --vocab vocab.txt -o docs.stream
  medley convert survey.csv --sample-rows 1000 --seed 7 -o some.csv)";

struct ConvertArguments {
  DataOptions data;
  Treatment treatment;
  std::vector<std::string> output;
};

bool asks_for_nothing(const Treatment& t) {
  return t.binarise.empty() && t.min_row == 0 && t.min_column == 0 && t.sample_rows == 0 &&
         !t.ones_as_tokens;
}

std::string next_step(const std::vector<Source>& files) {
  return fmt::format("\nNext: {} --k 3 -o model.medley\n", fit_command(files));
}

/// Straight to a stream file: word counts may be larger than memory.
int convert_streamed(const ConvertArguments& arguments, const ReadOptions& reading,
                     const std::vector<Source>& files) {
  const StreamedData done =
      convert_to_stream(sources(arguments.data), reading, files.front().path, stop_hooks());
  for (const std::string& warning : done.warnings) print_note("warning: " + warning);
  write_text(
      "", fmt::format("Wrote {}: {} rows with {} cells{}.\n{}", files.front().path, done.rows,
                      done.cells, done.loaded ? "" : ", read in bounded memory", next_step(files)));
  return kDone;
}

int run_convert(const ConvertArguments& arguments) {
  const std::vector<Source> files = written_sources(arguments.output);
  check_destinations(destinations(files), files_read(arguments.data));
  ReadOptions reading = read_options(arguments.data);
  reading.keep = reading.ignore;  // no feature, but not lost
  if (is_stream_output(files) && asks_for_nothing(arguments.treatment))
    return convert_streamed(arguments, reading, files);
  const Dataset data = read(sources(arguments.data), reading, stop_hooks());
  for (const std::string& warning : data.warnings) print_note("warning: " + warning);
  const Dataset out = treated(data, arguments.treatment, stop_hooks());
  const std::string written = write_with_schema(out, files);
  std::string text = as_flags(describe(data));
  for (std::size_t i = data.schema.treatments.size(); i < out.schema.treatments.size(); ++i)
    text += "Done: " + out.schema.treatments[i] + ".\n";
  text += fmt::format("Wrote {}.\n{}", written, next_step(files));
  write_text("", text);
  return kDone;
}

void add_treatments(Command& command, Treatment& t) {
  const auto group = "Treatments, in this order";
  command
      .add_option("--binarise", t.binarise,
                  "numbers that pass become 1, other observed ones 0: '>=4', '>0', '==1',\n"
                  "'>median' (of all observed cells)")
      .type_name("RULE")
      .group(group);
  command.add_option("--min-row", t.min_row, "drop rows with fewer observed cells")
      .type_name("N")
      .group(group)
      .check(whole_number(0));
  command
      .add_option("--min-column", t.min_column,
                  "drop columns, items or words with fewer observed cells; repeated until stable")
      .type_name("N")
      .group(group)
      .check(whole_number(0));
  command.add_option("--sample-rows", t.sample_rows, "keep N rows, drawn at random")
      .type_name("N")
      .group(group)
      .check(whole_number(1));
  command.add_option("--seed", t.seed, "seed of the sample; default 1")
      .type_name("S")
      .group(group)
      .check(whole_number(0));
  command
      .add_flag("--ones-as-tokens", t.ones_as_tokens,
                "cells equal to 1 become words named after their columns or items")
      .group(group);
}

}  // namespace

void add_convert(CommandLine& app, Program& program) {
  Command command = app.add_command("convert", kConvertHelp);
  auto arguments = std::make_shared<ConvertArguments>();
  command
      .add_option("-o,--output", arguments->output,
                  "a table or ratings: FILE.csv; word counts: FILE.ldac, words in FILE_vocab.txt.\n"
                  "With several sources one -o NAME=FILE for each. Anything: FILE.stream, one\n"
                  "file with all sources, schema and checksums, for `medley fit --batch`")
      .type_name("[NAME=]FILE")
      .allow_extra_args(false)
      .required();
  add_treatments(command, arguments->treatment);
  add_data_options(command, arguments->data);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_convert(*arguments); }; });
}

}  // namespace medley::cli
