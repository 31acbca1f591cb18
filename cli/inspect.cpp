// SPDX-License-Identifier: Apache-2.0
// medley inspect: the profiles or topics of a model.
#include "medley/inspect.hpp"

#include <map>
#include <memory>

#include "checks.hpp"
#include "command.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kInspectHelp = R"(What the profiles or topics of a model are.

Examples:
  medley inspect survey.medley
  medley inspect survey.medley --top 20
  medley inspect survey.medley --format csv > profiles.csv)";

struct InspectArguments {
  std::string model, output, format = "text";
  std::size_t top = 0;
};

int run_inspect(const InspectArguments& arguments) {
  static const std::map<std::string, TextFormat> formats = {{"text", TextFormat::text},
                                                            {"csv", TextFormat::csv},
                                                            {"md", TextFormat::md},
                                                            {"latex", TextFormat::latex}};
  check_destinations({{"-o", arguments.output}}, {arguments.model});
  InspectOptions options;
  options.format = formats.at(arguments.format);
  options.top = arguments.top;
  options.width = terminal_width(Stream::out);
  options.colour = arguments.output.empty() && wants_colour(Stream::out);
  // csv holds the names as they are; the readable formats were made safe name by name
  write_text(arguments.output, inspect(Model::load(arguments.model), options),
             options.format == TextFormat::csv ? Text::as_in_files : Text::safe);
  return kDone;
}

}  // namespace

void add_inspect(CommandLine& app, Program& program) {
  Command command = app.add_command("inspect", kInspectHelp);
  auto arguments = std::make_shared<InspectArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  command.add_option("--format", arguments->format, "text (default), csv (complete), md or latex")
      .type_name("FORMAT")
      .check(one_of({"text", "csv", "md", "latex"}));
  command.add_option("--top", arguments->top, "entries per profile; default 8 answers, 10 words")
      .type_name("N")
      .check(whole_number(1));
  command.add_option("-o,--output", arguments->output, "write to a file instead of standard output")
      .type_name("FILE");
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_inspect(*arguments); }; });
}

}  // namespace medley::cli
