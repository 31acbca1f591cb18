// SPDX-License-Identifier: Apache-2.0
// medley groups: mean memberships of groups of rows, with intervals.
#include <memory>

#include "command.hpp"
#include "data_options.hpp"
#include "design_options.hpp"
#include "intervals_json.hpp"
#include "medley/uncertainty.hpp"
#include "output.hpp"
#include "output_format.hpp"
#include "read_keeping.hpp"
#include "signals.hpp"

namespace medley::cli {
namespace {

constexpr const char* kGroupsHelp =
    R"(Compute the mean membership of each group of rows, with intervals.

Examples:
  medley groups survey.medley survey.csv --by region
  medley groups survey.medley survey.csv --by sex --strata county --cluster school --json
  medley groups survey.medley survey.csv --by region -o regions.csv     also .md, .tex)";

struct GroupsArguments {
  std::string model;
  DataOptions data;
  DesignOptions design;
  GroupOptions options;
  OutputFormat output;
  bool json = false;
};

int run_groups(GroupsArguments& arguments) {
  GroupOptions& options = arguments.options;
  options.strata = arguments.design.strata;
  options.cluster = arguments.design.cluster;
  options.level = arguments.design.level;
  std::vector<std::string> inputs = files_read(arguments.data);
  inputs.push_back(arguments.model);
  check_destinations({{"-o", arguments.output.path}}, inputs);
  const Model model = Model::load(arguments.model);
  const Dataset data = read_keeping(
      arguments.data, read_options(arguments.data, model),
      {{"--by", options.by}, {"--strata", options.strata}, {"--cluster", options.cluster}});
  const GroupMeans means = group_means(model, data, options, stop_hooks());
  if (arguments.json)
    write_text(arguments.output.path, groups_json(means));
  else
    write_formatted(arguments.output, write_groups(means, model, arguments.output.format()));
  return kDone;
}

}  // namespace

void add_groups(CommandLine& app, Program& program) {
  Command command = app.add_command("groups", kGroupsHelp);
  auto arguments = std::make_shared<GroupsArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  command.add_option("--by", arguments->options.by, "column whose values are the groups")
      .type_name("COLUMN")
      .required();
  add_design_options(command, arguments->design);
  add_output_format(command, arguments->output);
  command.add_flag("--json", arguments->json, "the means as one JSON object")
      .excludes("--output-format");
  add_threads_option(command, arguments->options.threads);
  add_data_options(command, arguments->data);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_groups(*arguments); }; });
}

}  // namespace medley::cli
