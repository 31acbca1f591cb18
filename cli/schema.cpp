// SPDX-License-Identifier: Apache-2.0
// medley schema: what the columns are taken for.
#include "medley/schema.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "arguments.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "medley/evaluate.hpp"
#include "medley/inspect.hpp"
#include "output.hpp"

namespace medley::cli {
namespace {

constexpr const char* kHelp =
    R"(What the columns of a file are taken for, as TOML that can be edited.

Examples:
  medley schema survey.csv
  medley schema survey.csv --suggest          which families describe the numbers best
  medley schema survey.csv -o survey.toml && medley fit survey.csv --schema survey.toml --k 3 -o m.medley)";

struct Arguments {
  bool suggest = false;
  std::string output;
  DataOptions data;
};

std::string table(const std::vector<ColumnSuggestion>& columns) {
  std::string out =
      "Families by the held-out log-likelihood of each column alone (5 folds, nats per cell).\n";
  for (const ColumnSuggestion& column : columns) {
    out += fmt::format("\n{} (taken for {}{})\n", printable(column.column), column.inferred,
                       column.whole ? ", whole numbers" : "");
    for (const FamilyScore& score : column.ranked) {
      out += fmt::format("  {:<12}{:>10.4f}", score.family, score.nats);
      if (score.behind > 0)
        out += fmt::format("   {:.4f} behind, +- {:.4f}", score.behind, score.standard_error);
      out += '\n';
    }
    const std::string& best = column.ranked.front().family;
    if (best != column.inferred)
      out += fmt::format("  to change it: --column {}={}\n", shell_quoted(column.column), best);
  }
  if (columns.empty()) out += "\nThere is no column of numbers.\n";
  return out;
}

int run(const Arguments& arguments) {
  check_destinations({{"-o", arguments.output}}, files_read(arguments.data));
  if (arguments.suggest) {
    write_text(arguments.output,
               table(suggest_families(sources(arguments.data), read_options(arguments.data))));
    return kDone;
  }
  write_text(arguments.output,
             to_toml(infer_schema(sources(arguments.data), read_options(arguments.data))));
  return kDone;
}

}  // namespace

void add_schema(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("schema", kHelp);
  auto arguments = std::make_shared<Arguments>();
  command
      ->add_option("-o,--output", arguments->output, "write to a file instead of standard output")
      ->type_name("FILE");
  command->add_flag("--suggest", arguments->suggest,
                    "rank the families of every column of numbers instead");
  add_data_options(*command, arguments->data);
  command->callback(
      [&program, arguments] { program.run = [arguments] { return run(*arguments); }; });
}

}  // namespace medley::cli
