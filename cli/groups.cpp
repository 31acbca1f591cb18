// SPDX-License-Identifier: Apache-2.0
// medley groups: mean memberships of groups of rows, with intervals.
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "data_options.hpp"
#include "design_options.hpp"
#include "intervals_json.hpp"
#include "medley/uncertainty.hpp"
#include "output.hpp"
#include "read_keeping.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kHelp = R"(The mean membership of each group of rows, with intervals.

Examples:
  medley groups survey.medley survey.csv --by region
  medley groups survey.medley survey.csv --by sex --strata county --cluster school --json)";

struct Arguments {
  std::string model;
  DataOptions data;
  DesignOptions design;
  GroupOptions options;
  bool json = false;
};

Json group_json(const GroupMean& group) {
  Json profiles = Json::array();
  for (std::size_t k = 0; k < group.mean.size(); ++k) {
    Json profile = {{"profile", k + 1}};
    profile.update(interval_json("mean", group.mean[k]));
    profile["posterior_se"] = group.posterior_error[k];
    if (!group.difference.empty())
      profile["difference"] = interval_json("value", group.difference[k]);
    profiles.push_back(std::move(profile));
  }
  return {{"group", group.group},
          {"rows", group.rows},
          {"weight", group.weight},
          {"profiles", std::move(profiles)}};
}

std::string groups_json(const GroupMeans& means) {
  Json groups = Json::array();
  for (const GroupMean& group : means.groups) groups.push_back(group_json(group));
  const Json out = {{"by", means.by},
                    {"level", means.level},
                    {"estimator", to_string(means.estimator)},
                    {"missing_rows", means.missing_rows},
                    {"empty_rows", means.empty_rows},
                    {"strata", means.strata},
                    {"units", means.units},
                    {"lonely_strata", means.lonely_strata},
                    {"reliability", means.reliability},
                    {"groups", std::move(groups)},
                    {"all", group_json(means.all)}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int run(Arguments& arguments) {
  GroupOptions& options = arguments.options;
  options.strata = arguments.design.strata;
  options.cluster = arguments.design.cluster;
  options.level = arguments.design.level;
  const Model model = Model::load(arguments.model);
  const Dataset data = read_keeping(
      arguments.data, read_options(arguments.data, model),
      {{"--by", options.by}, {"--strata", options.strata}, {"--cluster", options.cluster}});
  const GroupMeans means = group_means(model, data, options);
  write_text("", arguments.json ? groups_json(means) : describe(means, model));
  return kDone;
}

}  // namespace

void add_groups(CommandLine& app, Program& program) {
  Command command = app.add_command("groups", kHelp);
  auto arguments = std::make_shared<Arguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  command.add_option("--by", arguments->options.by, "column whose values are the groups")
      .type_name("COLUMN")
      .required();
  add_design_options(command, arguments->design);
  command.add_flag("--json", arguments->json, "the means as one JSON object");
  add_threads_option(command, arguments->options.threads);
  add_data_options(command, arguments->data);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run(*arguments); }; });
}

}  // namespace medley::cli
