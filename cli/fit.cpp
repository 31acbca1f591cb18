// SPDX-License-Identifier: Apache-2.0
// medley fit: from data to a model file.
#include "medley/fit.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "command.hpp"
#include "data_options.hpp"
#include "fit_options.hpp"
#include "fit_run.hpp"
#include "medley/io.hpp"
#include "medley/report.hpp"
#include "output.hpp"
#include "processes.hpp"
#include "signals.hpp"
#include "trace_file.hpp"

namespace medley::cli {
namespace {

constexpr const char* kFitHelp = R"(Fit a model to data and save it.

Examples:
  medley fit survey.csv --k 3 -o survey.medley
  medley fit survey.csv --k 3 --model gom --label party -o survey.medley
  medley fit cells.csv --label type --k auto -o types.medley       learn to tell a class
  medley fit docs.ldac --vocab vocab.txt --k 50 -o topics.medley
  medley fit corpus.stream --batch 1000 --k 100 --trace curve.csv -o topics.medley
  medley fit ratings.csv --format triplets --column value=categorical --k 8 -o taste.medley)";

struct FitCommandArguments {
  DataOptions data;
  FitArguments fit;
};

void check_fit_files(const FitCommandArguments& arguments) {
  std::vector<std::string> inputs = files_read(arguments.data);
  std::error_code ignored;
  if (std::filesystem::exists(arguments.fit.fit.init, ignored))
    inputs.push_back(arguments.fit.fit.init);
  check_destinations({{"-o", arguments.fit.model_file},
                      {"--checkpoint", arguments.fit.fit.checkpoint},
                      {"--trace", arguments.fit.trace}},
                     inputs);
  note_checkpoint(arguments.fit.fit);
}

/// In this process, or in all that mpirun has started.
Model fit_here(const Dataset& data, const FitOptions& options, const Hooks& hooks) {
  Communicator* all = processes();
  return all == nullptr ? fit(data, options, hooks) : fit(data, options, *all, hooks);
}

/// A stream file in minibatches: it may be larger than memory.
int fit_streamed(const Program& program, const FitCommandArguments& arguments,
                 const std::string& path) {
  const auto rows = open_stream(path, read_options(arguments.data, arguments.fit.fit));
  const std::optional<Model> start = start_model(arguments.fit.fit);
  FitOptions options = arguments.fit.fit;
  if (start) options.init.clear();
  TraceFile trace(arguments.fit.trace, arguments.fit.fit.resume);
  const Model model = run_fit(arguments.fit, trace, [&](const Hooks& hooks) {
    return start ? fit(*rows, options, *start, hooks) : fit(*rows, options, hooks);
  });
  const int code =
      conclude(program, arguments.fit, model,
               {rows->shape(),
                {},
                fmt::format("{}: {} rows, read a little at a time.\n", path, rows->rows())});
  trace.finish();
  return code;
}

/// What several processes cannot do together.
void refuse_in_several(const FitCommandArguments& arguments) {
  if (processes() == nullptr) return;
  std::vector<Problem> problems;
  for (const std::string& from : arguments.data.data) {
    if (from == "-")
      problems.push_back(
          {"-", "only one of several processes has a standard input", "name a file"});
  }
  std::error_code ignored;
  if (std::filesystem::exists(arguments.fit.fit.init, ignored))
    problems.push_back({"--init", "a model cannot be the start of a fit in several processes",
                        "leave it out, or fit in one process"});
  if (!problems.empty()) throw InputError(std::move(problems));
}

int run_fit_command(const Program& program, FitCommandArguments& arguments) {
  complete(arguments.fit);
  refuse_in_several(arguments);
  wait_at_most(arguments.fit.wait);
  check_fit_files(arguments);
  const std::vector<Source> from = sources(arguments.data);
  if (arguments.fit.fit.batch > 0 && from.size() == 1 && is_stream(from.front().path))
    return fit_streamed(program, arguments, from.front().path);
  const Dataset data = read(from, read_options(arguments.data, arguments.fit.fit), stop_hooks());
  const std::optional<Model> start = start_model(arguments.fit.fit);
  FitOptions options = arguments.fit.fit;
  if (start) options.init.clear();
  TraceFile trace(first_process() ? arguments.fit.trace : "", arguments.fit.fit.resume);
  ChosenOptions choice;
  std::string chosen;
  const Model model = run_fit(arguments.fit, trace, [&](const Hooks& hooks) {
    const auto begun = std::chrono::steady_clock::now();
    choice = choose_label_options(data, options, arguments.fit.choose, hooks);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    chosen = describe(choice);
    if (!chosen.empty()) chosen += fmt::format("Choosing took {:.2f} s.\n", took.count());
    return start ? fit(data, choice.fitting, *start, hooks) : fit_here(data, choice.fitting, hooks);
  });
  const int code = conclude(program, arguments.fit, model, {data, choice, describe(data) + chosen});
  trace.finish();
  return code;
}

}  // namespace

void add_fit(CommandLine& app, Program& program) {
  Command command = app.add_command("fit", kFitHelp);
  auto arguments = std::make_shared<FitCommandArguments>();
  add_fit_options(command, arguments->fit);
  add_data_options(command, arguments->data);
  command.callback([&program, arguments] {
    program.run = [&program, arguments] { return run_fit_command(program, *arguments); };
  });
}

}  // namespace medley::cli
