// SPDX-License-Identifier: Apache-2.0
// medley export: all parameters as JSON.
#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "medley/model.hpp"
#include "output.hpp"

namespace medley::cli {
namespace {

constexpr const char* kHelp = R"(All parameters of a model as JSON.

Examples:
  medley export survey.medley > parameters.json
  medley export survey.medley | jq .alpha)";

struct Arguments {
  std::string model, output;
};

int run(const Arguments& arguments) {
  check_destinations({{"-o", arguments.output}}, {arguments.model});
  std::string json = Model::load(arguments.model).export_json();
  if (!json.ends_with('\n')) json += '\n';
  write_text(arguments.output, json);
  return kDone;
}

}  // namespace

void add_export(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("export", kHelp);
  auto arguments = std::make_shared<Arguments>();
  command->add_option("MODEL", arguments->model, "a model file written by medley fit")->required();
  command
      ->add_option("-o,--output", arguments->output, "write to a file instead of standard output")
      ->type_name("FILE");
  command->callback(
      [&program, arguments] { program.run = [arguments] { return run(*arguments); }; });
}

}  // namespace medley::cli
