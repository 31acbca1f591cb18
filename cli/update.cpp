// SPDX-License-Identifier: Apache-2.0
// medley update: a saved model learns on from new rows.
#include "medley/fit.hpp"

#include <fmt/format.h>

#include <memory>

#include "checks.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "fit_options.hpp"
#include "fit_run.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "medley/report.hpp"
#include "output.hpp"
#include "signals.hpp"
#include "trace_file.hpp"

namespace medley::cli {
namespace {

constexpr const char* kUpdateHelp =
    R"(Update a model with new rows, without the rows it was fitted to.

The model keeps the weight of all rows that it has seen; profiles keep their numbers and names.
Words and levels that it does not know are left out and listed; to learn them, fit again.

Examples:
  medley update topics.medley june.ldac --vocab vocab.txt -o topics2.medley
  medley update topics.medley june.stream --batch 1000 -o topics2.medley
  medley update survey.medley wave2.csv --t0 0 --kappa 1 --passes 1 -o both.medley
                                                       old and new rows count the same)";

struct UpdateArguments {
  std::string model;
  DataOptions data;
  UpdateOptions options;
  FitArguments fit;  ///< files and output
};

void complete_update(UpdateArguments& arguments) {
  FitArguments& fit = arguments.fit;
  if (fit.model_file.empty())
    throw InputError({"-o", "the name of the model file is missing", "for example -o new.medley"});
  if (fit.fit.checkpoint.empty()) fit.fit.checkpoint = fit.model_file + ".checkpoint";
  std::vector<std::string> inputs = files_read(arguments.data);
  inputs.push_back(arguments.model);
  check_destinations(
      {{"-o", fit.model_file}, {"--checkpoint", fit.fit.checkpoint}, {"--trace", fit.trace}},
      inputs);
  note_checkpoint(fit.fit);
  UpdateOptions& options = arguments.options;
  options.checkpoint = fit.fit.checkpoint;
  options.checkpoint_seconds = fit.fit.checkpoint_seconds;
  options.resume = fit.fit.resume;
}

/// A stream file may be larger than memory.
int update_streamed(const Program& program, const UpdateArguments& arguments, const Model& before,
                    const std::string& path, const ReadOptions& reading) {
  const auto rows = open_stream(path, reading);
  TraceFile trace(arguments.fit.trace, arguments.options.resume);
  const Model model = run_fit(arguments.fit, trace, [&](const Hooks& hooks) {
    return update(before, *rows, arguments.options, hooks);
  });
  std::string read = fmt::format("{}: {} rows, read a little at a time.\n", path, rows->rows());
  for (const std::string& warning : rows->shape().warnings)
    read += "Warning: " + printable(warning) + "\n";
  const int code = conclude(program, arguments.fit, model,
                            {rows->shape(), {}, read + describe_unknown(rows->shape())});
  trace.finish();
  return code;
}

int run_update(const Program& program, UpdateArguments& arguments) {
  complete_update(arguments);
  const Model before = Model::load(arguments.model);
  const std::vector<Source> from = sources(arguments.data);
  const ReadOptions reading = read_options(arguments.data, before);
  if (from.size() == 1 && is_stream(from.front().path))
    return update_streamed(program, arguments, before, from.front().path, reading);
  const Dataset data = read(from, reading, stop_hooks());
  TraceFile trace(arguments.fit.trace, arguments.options.resume);
  const Model model = run_fit(arguments.fit, trace, [&](const Hooks& hooks) {
    return update(before, data, arguments.options, hooks);
  });
  const int code =
      conclude(program, arguments.fit, model, {data, {}, describe(data) + describe_unknown(data)});
  trace.finish();
  return code;
}

void add_learning_options(Command& command, UpdateArguments& a) {
  const auto group = "Minibatches";
  command
      .add_option("--batch", a.options.batch,
                  "rows at a time; default as in the model's fit, else 1000")
      .type_name("N")
      .group(group)
      .check(whole_number(1));
  command
      .add_option("--t0", a.options.t0,
                  "step t has the weight (T0 + t)^-KAPPA; default as in the model's fit")
      .type_name("T0")
      .group(group)
      .check(number_from_zero());
  command
      .add_option("--kappa", a.options.kappa,
                  "above 0.5, at most 1; a lower value gives later rows more weight; default as\n"
                  "in the model's fit")
      .type_name("KAPPA")
      .group(group)
      .check(number_above_zero());
  command
      .add_option("--passes", a.options.passes,
                  "passes over the new rows; default as in the model's fit")
      .type_name("N")
      .group(group)
      .check(whole_number(1));
  command
      .add_option("--seed", a.options.seed,
                  "seed of the order of the rows; default as in the model's fit")
      .type_name("S")
      .group(group)
      .check(whole_number(0));
  add_threads_option(command, a.options.threads);
}

}  // namespace

void add_update(CommandLine& app, Program& program) {
  Command command = app.add_command("update", kUpdateHelp);
  auto arguments = std::make_shared<UpdateArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  add_learning_options(command, *arguments);
  add_output_options(command, arguments->fit);
  add_data_options(command, arguments->data);
  command.callback([&program, arguments] {
    program.run = [&program, arguments] { return run_update(program, *arguments); };
  });
}

}  // namespace medley::cli
