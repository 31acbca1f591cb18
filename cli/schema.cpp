// SPDX-License-Identifier: Apache-2.0
// medley schema: what the columns are taken for.
#include "medley/data.hpp"

#include <memory>

#include "checks.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "flags.hpp"
#include "medley/select.hpp"
#include "output.hpp"
#include "signals.hpp"

namespace medley::cli {
namespace {

constexpr const char* kSchemaHelp =
    R"(Show how the columns of a file are read, as TOML that can be edited.

Examples:
  medley schema survey.csv
  medley schema survey.csv --suggest      rank the families of each column of numbers
  medley schema survey.csv -o survey.toml && medley fit survey.csv --schema survey.toml --k 3 -o m.medley)";

struct SchemaArguments {
  std::string output;
  bool suggest = false;
  SuggestOptions ranking;
  DataOptions data;
};

int run_schema(const SchemaArguments& arguments) {
  check_destinations({{"-o", arguments.output}}, files_read(arguments.data));
  if (arguments.suggest) {
    write_text(
        arguments.output,
        as_flags(describe(suggest_families(sources(arguments.data), read_options(arguments.data),
                                           arguments.ranking, stop_hooks()))));
    return kDone;
  }
  write_text(arguments.output,
             as_flags(to_toml(infer_schema(sources(arguments.data), read_options(arguments.data),
                                           stop_hooks()))));
  return kDone;
}

}  // namespace

void add_schema(CommandLine& app, Program& program) {
  Command command = app.add_command("schema", kSchemaHelp);
  auto arguments = std::make_shared<SchemaArguments>();
  command.add_option("-o,--output", arguments->output, "write to a file instead of standard output")
      .type_name("FILE");
  const Option suggest =
      command.add_flag("--suggest", arguments->suggest,
                       "rank the families of every column of numbers by held-out likelihood");
  command.add_option("--seed", arguments->ranking.seed, "seed of the folds; default 1")
      .type_name("S")
      .check(whole_number(0))
      .needs(suggest);
  command.add_option("--threads", arguments->ranking.threads, "default: all available cores")
      .type_name("T")
      .check(whole_number(1))
      .needs(suggest);
  add_data_options(command, arguments->data);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_schema(*arguments); }; });
}

}  // namespace medley::cli
