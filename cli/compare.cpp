// SPDX-License-Identifier: Apache-2.0
// medley compare: which component of one model is which of another.
#include "medley/evaluate.hpp"

#include <memory>
#include <optional>

#include "checks.hpp"
#include "command.hpp"
#include "comparison_json.hpp"
#include "data_options.hpp"
#include "flags.hpp"
#include "output.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

constexpr const char* kCompareHelp = R"(Match the components of two models with the same columns.

Examples:
  medley compare true.medley fitted.medley
  medley compare wave1.medley wave2.medley --top 10
  medley compare seed1.medley seed2.medley survey.csv    also compares the shares of these rows)";

struct CompareArguments {
  std::string a, b;
  DataOptions data;
  std::size_t top = 5, threads = 0;
  bool json = false;
};

/// The shares of the rows under a model, read as that model wants it.
Memberships shares(const CompareArguments& arguments, const Model& model) {
  const Dataset data =
      read(sources(arguments.data), read_options(arguments.data, model), stop_hooks());
  for (const std::string& warning : data.warnings) print_note("warning: " + warning);
  return transform(model, data, arguments.threads, stop_hooks());
}

int run_compare(const CompareArguments& arguments) {
  const Model a = Model::load(arguments.a), b = Model::load(arguments.b);
  const Comparison comparison = compare(a, b, arguments.top);
  std::string text = as_flags(describe(comparison, a, b));
  std::optional<MembershipAgreement> agreement;
  if (!arguments.data.data.empty()) {
    agreement = membership_agreement(comparison, shares(arguments, a), shares(arguments, b));
    text += "\n" + describe(*agreement, comparison, a, b);
  }
  write_text("", arguments.json
                     ? comparison_json(comparison, a, b, agreement ? &*agreement : nullptr)
                     : text);
  return kDone;
}

}  // namespace

void add_compare(CommandLine& app, Program& program) {
  Command command = app.add_command("compare", kCompareHelp);
  auto arguments = std::make_shared<CompareArguments>();
  command.add_option("A", arguments->a, "a model file").required();
  command.add_option("B", arguments->b, "another model file").required();
  command.add_option("--top", arguments->top, "features that differ most, per pair; default 5")
      .type_name("N")
      .check(whole_number(0));
  command.add_flag("--json", arguments->json, "the comparison as one JSON object");
  add_threads_option(command, arguments->threads);
  add_data_options(command, arguments->data);
  command.get_option("DATA").required(false);
  command.callback(
      [&program, arguments] { program.run = [arguments] { return run_compare(*arguments); }; });
}

}  // namespace medley::cli
