// SPDX-License-Identifier: Apache-2.0
// medley fit: from data to a model file.
#include "medley/fit.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "arguments.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "fit_json.hpp"
#include "fit_options.hpp"
#include "medley/catalogue.hpp"
#include "medley/inspect.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "signals.hpp"
#include "terminal.hpp"
#include "trace_file.hpp"

namespace medley::cli {
namespace {

constexpr const char* kHelp = R"(Fit a model to data and save it.

Examples:
  medley fit survey.csv --k 3 -o survey.medley
  medley fit survey.csv --k 3 --model gom --label party -o survey.medley
  medley fit cells.csv --label type --k auto -o types.medley       learn to tell a class
  medley fit docs.ldac --vocab vocab.txt --k 50 -o topics.medley
  medley fit ratings.csv --format triplets --column value=categorical --k 8 -o taste.medley)";

struct Arguments {
  DataOptions data;
  FitArguments fit;
};

void check_files(const Arguments& arguments) {
  std::vector<std::string> inputs = files_read(arguments.data);
  std::error_code ignored;
  if (std::filesystem::exists(arguments.fit.fit.init, ignored))
    inputs.push_back(arguments.fit.fit.init);
  check_destinations({{"-o", arguments.fit.model_file},
                      {"--checkpoint", arguments.fit.fit.checkpoint},
                      {"--trace", arguments.fit.trace}},
                     inputs);
  const bool there = std::filesystem::exists(arguments.fit.fit.checkpoint, ignored);
  if (there && !arguments.fit.fit.resume) {
    print_note(fmt::format(
        "note: the checkpoint \"{}\" of an earlier run will be replaced (--resume continues it)",
        arguments.fit.fit.checkpoint));
  }
  if (!there && arguments.fit.fit.resume) {
    print_note(fmt::format("note: there is no checkpoint \"{}\"; the fit starts from the beginning",
                           arguments.fit.fit.checkpoint));
  }
}

/// Fits with progress, trace and Ctrl-C.
Model run_fit(const Dataset& data, const FitArguments& arguments, TraceFile& trace,
              ChosenOptions& choice) {
  ProgressLine progress(arguments.quiet);
  const StopRequest stop;
  FitHooks hooks;
  hooks.progress = [&](const Progress& step) { progress.show(step); };
  hooks.stop = stop.flag();
  choice = choose_label_options(data, arguments.fit, arguments.choose, hooks);
  hooks.progress = [&](const Progress& step) {
    trace.add(step);
    progress.show(step);
  };
  Model model = fit(data, choice.fitting, hooks);
  progress.finish();
  return model;
}

void print_summary(const Dataset& data, const Model& model, const ChosenOptions& choice,
                   const std::string& model_file) {
  const std::string file = shell_quoted(model_file);
  std::string text =
      describe(data) + describe(choice) +
      fmt::format("Fitted {} with {} {}: {} membership, {} inference.\n",
                  model.preset().empty() ? "a model" : model.preset(), model.components(),
                  model.components() == 1 ? "component" : "components", model.membership(),
                  model.inference()) +
      describe(model.summary()) + fmt::format("Wrote {}.\n\n", model_file);
  text += fmt::format("Next: medley inspect {}          what the profiles are\n", file);
  text += fmt::format("      medley transform {} DATA   each row's memberships\n", file);
  write_text("", text);
}

int run(const Program& program, Arguments& arguments) {
  complete(arguments.fit);
  check_files(arguments);
  const Dataset data =
      read(sources(arguments.data), read_options(arguments.data, arguments.fit.fit));
  TraceFile trace(arguments.fit.trace, arguments.fit.fit.resume);
  ChosenOptions choice;
  const Model model = run_fit(data, arguments.fit, trace, choice);
  const FitSummary& summary = model.summary();
  if (summary.termination == Termination::interrupted) {
    print_note(fmt::format("interrupted; the state of the fit is in \"{}\". To continue:",
                           arguments.fit.fit.checkpoint));
    print_note("  " + resume_command(program.arguments, arguments.fit.fit.checkpoint));
    return kInterrupted;
  }
  model.save(arguments.fit.model_file);
  if (arguments.fit.json) {
    write_text("", fit_json(model, data, choice, arguments.fit.model_file));
  } else {
    print_summary(data, model, choice, arguments.fit.model_file);
  }
  trace.finish();
  const bool sound = summary.termination == Termination::converged && summary.warnings.empty();
  return arguments.fit.strict && !sound ? kStrict : kDone;
}

}  // namespace

void add_fit(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("fit", kHelp);
  auto arguments = std::make_shared<Arguments>();
  add_fit_options(*command, arguments->fit);
  add_data_options(*command, arguments->data);
  command->callback([&program, arguments] {
    program.run = [&program, arguments] { return run(program, *arguments); };
  });
}

}  // namespace medley::cli
