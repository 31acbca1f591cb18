// SPDX-License-Identifier: Apache-2.0
// medley bootstrap: intervals for everything that a fit estimates.
#include <fmt/format.h>

#include <memory>

#include "checks.hpp"
#include "command.hpp"
#include "csv.hpp"
#include "data_options.hpp"
#include "design_options.hpp"
#include "flags.hpp"
#include "intervals_json.hpp"
#include "medley/uncertainty.hpp"
#include "output.hpp"
#include "output_format.hpp"
#include "progress_line.hpp"
#include "read_keeping.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kBootstrapHelp =
    R"(Compute intervals for profiles, their sizes and group means, by refitting.

Examples:
  medley bootstrap survey.medley survey.csv -o intervals.csv
  medley bootstrap survey.medley survey.csv --replicates 1000 --by region --by sex
  medley bootstrap survey.medley survey.csv --strata county --cluster school)";

struct BootstrapArguments {
  std::string model, output;
  DataOptions data;
  DesignOptions design;
  BootstrapOptions options;
  bool json = false, quiet = false;
};

void write_intervals(const Bootstrap& found, const Model& model, const std::string& path) {
  Output output(path);
  output.write("profile,quantity,block,feature,level,estimate,se,low,high\n");
  CsvLine line;
  for (const BootstrapEstimate& e : found.estimates) {
    line.add(e.component + 1).add(name_of(e.quantity, model)).add(e.block);
    line.add(e.feature).add(e.level);
    line.add(e.estimate.value).add(e.estimate.standard_error);
    line.add(e.estimate.low).add(e.estimate.high);
    output.write(line.take());
  }
  output.commit();
}

int run_bootstrap(BootstrapArguments& arguments) {
  BootstrapOptions& options = arguments.options;
  options.strata = arguments.design.strata;
  options.cluster = arguments.design.cluster;
  options.level = arguments.design.level;
  std::vector<std::string> inputs = files_read(arguments.data);
  inputs.push_back(arguments.model);
  check_destinations({{"-o", arguments.output}}, inputs);
  std::vector<ColumnOption> columns = {{"--strata", options.strata},
                                       {"--cluster", options.cluster}};
  for (const std::string& name : options.by) columns.emplace_back("--by", name);
  const Model model = Model::load(arguments.model);
  const Dataset data = read_keeping(arguments.data, read_options(arguments.data, model), columns);
  ProgressLine progress(arguments.quiet);
  const StopRequest stop;
  Hooks hooks;
  hooks.progress = [&](const Progress& step) { progress.show(step); };
  hooks.stop = stop.flag();
  const Bootstrap found = bootstrap(model, data, options, hooks);
  progress.finish();
  if (found.interrupted) {
    print_note("interrupted; nothing is reported");
    return kInterrupted;
  }
  if (!arguments.output.empty()) write_intervals(found, model, arguments.output);
  write_text("", arguments.json ? bootstrap_json(found, model) : as_flags(describe(found, model)));
  return kDone;
}

}  // namespace

void add_bootstrap(CommandLine& app, Program& program) {
  Command command = app.add_command("bootstrap", kBootstrapHelp);
  auto arguments = std::make_shared<BootstrapArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  command.add_option("--replicates", arguments->options.replicates, "number of refits; default 200")
      .type_name("N")
      .check(whole_number(2));
  command
      .add_option("--by", arguments->options.by,
                  "also the mean memberships of this column's groups (repeatable)")
      .type_name("COLUMN")
      .allow_extra_args(false);
  add_design_options(command, arguments->design);
  command.add_option("-o,--output", arguments->output, "write every interval to a CSV file")
      .type_name("FILE");
  add_safe_csv(command);
  command.add_flag("--json", arguments->json, "everything as one JSON object");
  command.add_flag("--quiet", arguments->quiet, "no progress");
  command.add_option("--seed", arguments->options.seed, "seed of the samples; default 1")
      .type_name("S")
      .check(whole_number(0));
  add_threads_option(command, arguments->options.threads);
  add_data_options(command, arguments->data);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_bootstrap(*arguments); }; });
}

}  // namespace medley::cli
