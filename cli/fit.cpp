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
#include "medley/classify.hpp"
#include "medley/inspect.hpp"
#include "medley/stream.hpp"
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
  medley fit corpus.stream --batch 1000 --k 100 --trace curve.csv -o topics.medley
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

/// Fits with progress, trace and Ctrl-C, by `begin(hooks)`.
template <class Begin>
Model run_fit(const FitArguments& arguments, TraceFile& trace, Begin&& begin) {
  ProgressLine progress(arguments.quiet);
  const StopRequest stop;
  FitHooks hooks;
  hooks.stop = stop.flag();
  hooks.progress = [&](const Progress& step) {
    if (!step.stage.starts_with("choosing")) trace.add(step);
    progress.show(step);
  };
  Model model = begin(hooks);
  progress.finish();
  return model;
}

void print_summary(const std::string& read, const Model& model, const std::string& model_file) {
  const std::string file = shell_quoted(model_file);
  std::string text =
      read +
      fmt::format("Fitted {} with {} {}: {} membership, {} inference.\n",
                  model.preset().empty() ? "a model" : model.preset(), model.components(),
                  model.components() == 1 ? "component" : "components", model.membership(),
                  model.inference()) +
      describe(model.summary()) + fmt::format("Wrote {}.\n\n", model_file);
  text += fmt::format("Next: medley inspect {}          what the profiles are\n", file);
  text += fmt::format("      medley transform {} DATA   each row's memberships\n", file);
  if (predicts_classes(model))
    text += fmt::format("      medley predict {} DATA     each row's class\n", file);
  write_text("", text);
}

/// Saves the model and says what came out. `data` may be without rows; `read` tells of them.
int conclude(const Program& program, const Arguments& arguments, const Model& model,
             const Dataset& data, const ChosenOptions& choice, const std::string& read) {
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
    print_summary(read, model, arguments.fit.model_file);
  }
  const bool ended = summary.termination == Termination::converged ||
                     summary.termination == Termination::passes_done;
  const bool sound = ended && summary.warnings.empty();
  return arguments.fit.strict && !sound ? kStrict : kDone;
}

/// A stream file in minibatches: it may be larger than memory.
int run_streamed(const Program& program, const Arguments& arguments, const std::string& path) {
  const auto rows = open_stream(path, read_options(arguments.data, arguments.fit.fit));
  TraceFile trace(arguments.fit.trace, arguments.fit.fit.resume);
  const Model model = run_fit(arguments.fit, trace, [&](const FitHooks& hooks) {
    return fit(*rows, arguments.fit.fit, hooks);
  });
  const int code =
      conclude(program, arguments, model, rows->shape(), {},
               fmt::format("{}: {} rows, read a little at a time.\n", path, rows->rows()));
  trace.finish();
  return code;
}

int run(const Program& program, Arguments& arguments) {
  complete(arguments.fit);
  check_files(arguments);
  const std::vector<Source> from = sources(arguments.data);
  if (arguments.fit.fit.batch > 0 && from.size() == 1 && is_stream(from.front().path))
    return run_streamed(program, arguments, from.front().path);
  const Dataset data = read(from, read_options(arguments.data, arguments.fit.fit));
  TraceFile trace(arguments.fit.trace, arguments.fit.fit.resume);
  ChosenOptions choice;
  const Model model = run_fit(arguments.fit, trace, [&](const FitHooks& hooks) {
    choice = choose_label_options(data, arguments.fit.fit, arguments.fit.choose, hooks);
    return fit(data, choice.fitting, hooks);
  });
  const int code =
      conclude(program, arguments, model, data, choice, describe(data) + describe(choice));
  trace.finish();
  return code;
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
