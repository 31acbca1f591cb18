// SPDX-License-Identifier: Apache-2.0
// medley export: all parameters as JSON.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "command.hpp"
#include "medley/model.hpp"
#include "medley/uncertainty.hpp"
#include "output.hpp"

namespace medley::cli {
namespace {

constexpr const char* kExportHelp = R"(Write all parameters of a model as JSON.

Examples:
  medley export survey.medley > parameters.json
  medley export survey.medley | jq .alpha
  medley export survey.medley --draws draws       draws_1.csv, draws_2.csv ... one per chain, in the
                                                  layout of CmdStan, for ArviZ or posterior

The model file also holds the draws of a sampled model, as safetensors.)";

struct ExportArguments {
  std::string model, output, draws;
};

int write_draws(const Model& model, const std::string& prefix, const std::string& from) {
  std::vector<std::pair<std::string, std::string>> files;
  for (std::size_t c = 0; c < std::max<std::size_t>(1, chains_of(model)); ++c)
    files.emplace_back(prefix + "_" + std::to_string(c + 1) + ".csv", draws_csv(model, c));
  for (const auto& [path, text] : files) check_destinations({{"--draws", path}}, {from});
  for (const auto& [path, text] : files) write_text(path, text);
  return kDone;
}

int run_export(const ExportArguments& arguments) {
  check_destinations({{"-o", arguments.output}}, {arguments.model});
  const Model model = Model::load(arguments.model);
  if (!arguments.draws.empty()) return write_draws(model, arguments.draws, arguments.model);
  std::string json = model.export_json();
  if (!json.ends_with('\n')) json += '\n';
  write_text(arguments.output, json);
  return kDone;
}

}  // namespace

void add_export(CommandLine& app, Program& program) {
  Command command = app.add_command("export", kExportHelp);
  auto arguments = std::make_shared<ExportArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  command.add_option("-o,--output", arguments->output, "write to a file instead of standard output")
      .type_name("FILE");
  command
      .add_option("--draws", arguments->draws,
                  "write the draws of a sampled model instead, PREFIX_1.csv and so on")
      .type_name("PREFIX")
      .excludes("--output");
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_export(*arguments); }; });
}

}  // namespace medley::cli
