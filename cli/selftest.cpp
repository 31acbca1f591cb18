// SPDX-License-Identifier: Apache-2.0
// medley selftest: whether the sampler is right, on the user's own model and table.
#include "medley/uncertainty.hpp"

#include <memory>

#include "checks.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "fit_options.hpp"
#include "flags.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "medley/report.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "selftest_json.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kSelftestHelp =
    R"(Test whether the sampler of a model is correct, on tables like yours.

Examples:
  medley selftest geweke survey.csv --model gom-bayes --k 3
  medley selftest sbc survey.csv --model dp-mixture --concentration gamma:2,2

The test uses only the shape of DATA: some rows (--rows), columns, levels, missing cells. It
draws the answers from the model with its priors.
  geweke   draws from the priors, and draws alternating data and sampler, must agree
  sbc      among the draws of a fit the truth must have every rank equally often
Exits with 0 if the sampler passes, with 1 if it fails. A correct one fails for one seed in a hundred.)";

struct SelftestArguments {
  std::string kind;
  DataOptions data;
  FitOptions fit;
  SelfTestOptions test;
  bool json = false, quiet = false;
};

void complete_selftest(SelftestArguments& arguments) {
  arguments.test.kind = arguments.kind == "sbc" ? SelfTestKind::sbc : SelfTestKind::geweke;
  const FitOptions& fit = arguments.fit;
  std::vector<Problem> problems;
  if (fit.model.empty())
    problems.push_back({"--model", "which sampler to test is missing",
                        "--model gom-bayes --k 3, or --model dp-mixture"});
  if (fit.model == "gom-bayes" && fit.components == 0)
    problems.push_back({"--k", "the number of profiles is missing", "for example --k 3"});
  if (!problems.empty()) throw InputError(std::move(problems));
}

int run_selftest(SelftestArguments& arguments) {
  complete_selftest(arguments);
  const Dataset data =
      read(sources(arguments.data), read_options(arguments.data, arguments.fit), stop_hooks());
  for (const std::string& warning : data.warnings) print_note("warning: " + warning);
  ProgressLine progress(arguments.quiet);
  const StopRequest stop;
  Hooks hooks;
  hooks.progress = [&](const Progress& step) { progress.show(step); };
  hooks.stop = stop.flag();
  const SelfTest test = selftest(data, arguments.fit, arguments.test, hooks);
  progress.finish();
  if (test.interrupted) {
    print_note("interrupted; nothing is reported");
    return kInterrupted;
  }
  write_text("", arguments.json ? selftest_json(test) : as_flags(describe(test)));
  return test.passed ? kDone : kFailed;
}

void add_tested_model_options(Command& command, FitOptions& fit) {
  const auto group = "Model";
  command.add_option("--model", fit.model, "gom-bayes or dp-mixture")
      .type_name("PRESET")
      .group(group)
      .check(one_of({"gom-bayes", "dp-mixture"}));
  command.add_option("--k", fit.components, "number of profiles of gom-bayes")
      .type_name("K")
      .group(group)
      .check(whole_number(1));
  command.add_option("--alpha", fit.alpha, "fixed:VALUE (0.1, 50/K); default: it has a prior")
      .type_name("HOW")
      .group(group)
      .check(alpha_choice());
  command
      .add_option("--smoothing", fit.smoothing, "pseudo-count of every answer or word; default 1")
      .type_name("EPS")
      .group(group)
      .check(number_above_zero());
  add_prior_options(command, fit, group);
  command
      .add_option("--seed", fit.seed, "same seed, same result, at any number of threads; default 1")
      .type_name("S")
      .group(group)
      .check(whole_number(0));
}

}  // namespace

void add_selftest(CommandLine& app, Program& program) {
  Command command = app.add_command("selftest", kSelftestHelp);
  auto arguments = std::make_shared<SelftestArguments>();
  command.add_option("TEST", arguments->kind, "geweke or sbc")
      .required()
      .check(one_of({"geweke", "sbc"}));
  command.add_option("--rows", arguments->test.rows, "rows of DATA, drawn at random; default 20")
      .type_name("N")
      .check(whole_number(1));
  command
      .add_option("--replicates", arguments->test.replicates,
                  "chains (geweke, default 100) or fits (sbc, default 200)")
      .type_name("N")
      .check(whole_number(1));
  command.add_flag("--json", arguments->json, "one JSON object");
  command.add_flag("--quiet", arguments->quiet, "no progress");
  add_tested_model_options(command, arguments->fit);
  add_threads_option(command, arguments->fit.threads);
  add_data_options(command, arguments->data);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_selftest(*arguments); }; });
}

}  // namespace medley::cli
