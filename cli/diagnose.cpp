// SPDX-License-Identifier: Apache-2.0
// medley diagnose: what is wrong with a fit or its chains, in words.
#include "medley/uncertainty.hpp"

#include <memory>

#include "command.hpp"
#include "data_options.hpp"
#include "diagnosis_json.hpp"
#include "flags.hpp"
#include "medley/io.hpp"
#include "medley/report.hpp"
#include "output.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kDiagnoseHelp =
    R"(Find problems of a fit or of the chains of a sampled model, and say what to do.

Examples:
  medley diagnose survey.medley
  medley diagnose survey.medley survey.csv     also the marginal DIC (--model gom-bayes)
  medley diagnose survey.medley --json         every quantity with R-hat and effective draws

Chains have mixed if every R-hat is below 1.05 and every effective sample size at least 400.
--strict exits with 4 if something is wrong.)";

struct DiagnoseArguments {
  std::string model;
  DataOptions data;
  std::size_t threads = 0;
  bool json = false, strict = false;
};

int run_diagnose(const DiagnoseArguments& arguments) {
  const Model model = Model::load(arguments.model);
  Diagnosis found;
  if (sources(arguments.data).empty()) {
    found = diagnose(model);
  } else {
    const Dataset data =
        read(sources(arguments.data), read_options(arguments.data, model), stop_hooks());
    for (const std::string& warning : data.warnings) print_note("warning: " + warning);
    found = diagnose(model, data, arguments.threads, stop_hooks());
  }
  write_text("", arguments.json ? diagnosis_json(found) : as_flags(describe(found)));
  return arguments.strict && !found.sound ? kStrict : kDone;
}

}  // namespace

void add_diagnose(CommandLine& app, Program& program) {
  Command command = app.add_command("diagnose", kDiagnoseHelp);
  auto arguments = std::make_shared<DiagnoseArguments>();
  command.add_option("MODEL", arguments->model, "a model file written by medley fit").required();
  command.add_flag("--json", arguments->json, "one JSON object");
  command.add_flag("--strict", arguments->strict, "exit with 4 if something is wrong");
  add_threads_option(command, arguments->threads);
  add_data_options(command, arguments->data);
  command.get_option("DATA").required(false);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_diagnose(*arguments); }; });
}

}  // namespace medley::cli
