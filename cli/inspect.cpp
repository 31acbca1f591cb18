// SPDX-License-Identifier: Apache-2.0
// medley inspect: the profiles or topics of a model.
#include "medley/report.hpp"

#include <memory>

#include "checks.hpp"
#include "command.hpp"
#include "output.hpp"
#include "output_format.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kInspectHelp = R"(Show the profiles or topics of a model.

Examples:
  medley inspect survey.medley
  medley inspect survey.medley --top 20
  medley inspect survey.medley --format csv > profiles.csv)";

struct InspectArguments {
  std::string model;
  OutputFormat output;
  std::size_t top = 0;
};

int run_inspect(const InspectArguments& arguments) {
  check_destinations({{"-o", arguments.output.path}}, {arguments.model});
  InspectOptions options;
  options.format = arguments.output.format();
  options.top = arguments.top;
  options.width = terminal_width(Stream::out);
  options.colour = arguments.output.path.empty() && wants_colour(Stream::out);
  // csv holds the names as they are; the readable formats were made safe name by name
  write_formatted(arguments.output, inspect(Model::load(arguments.model), options));
  return kDone;
}

}  // namespace

void add_inspect(CommandLine& app, Program& program) {
  Command command = app.add_command("inspect", kInspectHelp);
  auto arguments = std::make_shared<InspectArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  add_output_format(command, arguments->output);
  // inspect reads no data, so here --format can mean the same
  command
      .add_option("--format", arguments->output.name,
                  "the same as --output-format; csv is complete")
      .type_name("FORMAT")
      .check(one_of({"text", "csv", "excel", "md", "latex"}))
      .excludes("--output-format");
  command.add_option("--top", arguments->top, "entries per profile; default 8 answers, 10 words")
      .type_name("N")
      .check(whole_number(1));
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_inspect(*arguments); }; });
}

}  // namespace medley::cli
