// SPDX-License-Identifier: Apache-2.0
// medley select: how many profiles, by several criteria at once.
#include "medley/select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "arguments.hpp"
#include "checks.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "fit_options.hpp"
#include "flags.hpp"
#include "medley/error.hpp"
#include "medley/report.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "signals.hpp"
#include "suggest.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kSelectHelp = R"(Choose the number of profiles by several criteria at once.

Examples:
  medley select survey.csv --k 2..10 -o choice
  medley select survey.csv --k 2..10 --by cv,bic,aic,dic,pearson,dp -o choice
  medley select docs.ldac --k 10,20,50 --smoothing 0.01,0.1 -o choice
  medley select survey.csv --k 2..10 -o choice --resume       continue after an interruption

The folder holds a model for every K, every number (select.json) and criteria.csv.)";

constexpr std::size_t kLargest = 100000;

struct SelectArguments {
  DataOptions data;
  SelectOptions options;
  Auto choose;  ///< never set: K is chosen here
  std::string sizes, smoothing, by;
  bool json = false, quiet = false;
};

bool parse(std::string_view text, std::size_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out >= 1 && out <= kLargest;
}

/// "2..10", "2,3,5", "4" or a mixture; empty if it is not understood.
std::vector<std::size_t> sizes_of(const std::string& text) {
  std::vector<std::size_t> out;
  for (const std::string& piece : comma_list(text)) {
    const std::size_t dots = piece.find("..");
    std::size_t first = 0, last = 0;
    if (!parse(std::string_view(piece).substr(0, dots), first)) return {};
    last = first;
    if (dots != std::string::npos && !parse(std::string_view(piece).substr(dots + 2), last))
      return {};
    if (last < first || last - first > 1000) return {};
    for (std::size_t k = first; k <= last; ++k) out.push_back(k);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Check size_list() {
  return [](const std::string& text) {
    return sizes_of(text).empty() ? fmt::format(
                                        "\"{}\" is no range such as 2..10, nor a list such "
                                        "as 2,3,5",
                                        text)
                                  : std::string();
  };
}

Check each(const Check& check) {
  return [check](const std::string& text) -> std::string {
    const std::vector<std::string> pieces = comma_list(text);
    if (pieces.empty()) return fmt::format("\"{}\" is an empty list", text);
    for (const std::string& piece : pieces)
      if (std::string wrong = check(piece); !wrong.empty()) return wrong;
    return "";
  };
}

void complete_select(SelectArguments& arguments) {
  SelectOptions& options = arguments.options;
  std::vector<Problem> problems;
  if (arguments.sizes.empty())
    problems.push_back({"--k", "the numbers of profiles to try are missing", "such as --k 2..10"});
  if (options.folder.empty())
    problems.push_back({"-o", "the name of the folder is missing", "such as -o choice"});
  if (!problems.empty()) throw InputError(std::move(problems));
  options.components = sizes_of(arguments.sizes);
  options.by = comma_list(arguments.by);
  const std::vector<std::string> eps = comma_list(arguments.smoothing);
  for (const std::string& piece : eps)
    options.smoothing.push_back(std::strtod(piece.c_str(), nullptr));
  if (eps.size() == 1) {  // no axis
    options.fitting.smoothing = options.smoothing.front();
    options.smoothing.clear();
  }
  check_start(options.fitting, "a saved model has its own number of profiles");
}

int run_select(const Program& program, SelectArguments& arguments) {
  complete_select(arguments);
  SelectOptions& options = arguments.options;
  const Dataset data =
      read(sources(arguments.data), read_options(arguments.data, options.fitting), stop_hooks());
  for (const std::string& warning : data.warnings) print_note("warning: " + warning);
  if (options.fitting.alpha.starts_with("fixed"))
    print_note("warning: --alpha " + options.fitting.alpha +
               " biases the choice of K where the data support another value; it is fitted by "
               "default");
  ProgressLine progress(arguments.quiet);
  const StopRequest stop;
  Hooks hooks;
  hooks.progress = [&](const Progress& step) { progress.show(step); };
  hooks.stop = stop.flag();
  Selection found = select(data, options, hooks);
  progress.finish();
  if (found.interrupted) {
    std::string again;
    for (const std::string& word : program.arguments)
      if (word != "--resume") again += (again.empty() ? "" : " ") + shell_quoted(word);
    print_note(
        fmt::format("interrupted; what is finished is in \"{}\". To continue:", options.folder));
    print_note("  " + again + " --resume");
    return kInterrupted;
  }
  found.advice = as_flags(found.advice);
  found.warnings = as_flags(found.warnings);
  write_text("", arguments.json ? to_json(found) : as_flags(describe(found)));
  return kDone;
}

/// Some options of a fit mean something else here, or nothing.
void adapt(Command& command, SelectArguments& arguments) {
  for (const char* name : {"--k", "--smoothing"}) command.remove_option(name);
  command
      .add_option("--k", arguments.sizes, "numbers of profiles to try: 2..10 or 2,3,5 (required)")
      .type_name("K,...")
      .group("Model")
      .check(size_list());
  command
      .add_option("--smoothing", arguments.smoothing,
                  "pseudo-count of every answer or word; several (0.01,0.1,1) are a\n"
                  "second axis; default as in medley fit")
      .type_name("EPS,...")
      .group("Model")
      .check(each(number_from_zero()));
  command.get_option("--restarts")
      .description("independent fits of every K, compared with each other; default 5");
}

void add_criteria_options(Command& command, SelectArguments& arguments) {
  const auto group = "Choice";
  SelectOptions& options = arguments.options;
  command
      .add_option("--by", arguments.by,
                  "criteria: cv, aic, bic, dic (chains at every K), pearson (frequent\n"
                  "answer patterns), dp (posterior of K), coherence, exclusivity (text);\n"
                  "default cv,aic,bic, pearson for answers, the last two for text")
      .type_name("NAME,...")
      .group(group)
      .check(
          each(one_of({"cv", "aic", "bic", "dic", "pearson", "dp", "coherence", "exclusivity"})));
  command.add_option("--folds", options.folds, "folds of cv, the same for every K; default 5")
      .type_name("F")
      .group(group)
      .check(whole_number(2));
  command
      .add_option("--fold-restarts", options.fold_restarts, "restarts of each fit in cv; default 1")
      .type_name("N")
      .group(group)
      .check(whole_number(1));
  command
      .add_option("--estimator", options.estimator,
                  "estimator of log-likelihoods, as in medley evaluate; default auto (exact\n"
                  "or sampled where that is affordable)")
      .type_name("NAME")
      .group(group)
      .check(one_of({"auto", "bound", "exact", "importance", "left-to-right", "completion"}));
  command
      .add_option("--least-count", options.least_count,
                  "pearson: use patterns that at least N rows have; default about 25 patterns")
      .type_name("N")
      .group(group)
      .check(whole_number(1));
  command
      .add_option("--cluster-smoothing", options.cluster_smoothing,
                  "dp: pseudo-count of every answer in a cluster; default 1")
      .type_name("EPS")
      .group(group)
      .check(number_from_zero());
}

}  // namespace

void add_select(CommandLine& app, Program& program) {
  Command command = app.add_command("select", kSelectHelp);
  auto arguments = std::make_shared<SelectArguments>();
  arguments->options.fitting.restarts = 5;
  add_criteria_options(command, *arguments);
  add_model_and_search_options(command, arguments->options.fitting, arguments->choose);
  adapt(command, *arguments);
  command.add_option("-o,--output", arguments->options.folder, "the folder to make (required)")
      .type_name("DIR")
      .group("Output");
  command
      .add_flag("--resume", arguments->options.resume, "continue with the contents of the folder")
      .group("Output");
  command.add_flag("--json", arguments->json, "everything as one JSON object").group("Output");
  command.add_flag("--quiet", arguments->quiet, "no progress").group("Output");
  add_data_options(command, arguments->data);
  command.callback([&program, arguments] {
    program.run = [&program, arguments] { return run_select(program, *arguments); };
  });
}

}  // namespace medley::cli
