// SPDX-License-Identifier: Apache-2.0
#include "fit_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "checks.hpp"
#include "flags.hpp"
#include "label_options.hpp"
#include "medley/error.hpp"
#include "medley/options.hpp"
#include "processes.hpp"

namespace medley::cli {
namespace {

constexpr const char* kOutputGroup = "Output";

/// What the program adds to what the library says of an option.
OptionField as_here(OptionField field) {
  if (field.name == "k") {
    field.help +=
        " (required); with a label also auto, which chooses it by inner validation, and likewise "
        "the "
        "label weight and the pull unless they are set";
  }
  if (field.name == "label_weight") field.help += "; auto with --k auto";
  if (field.name == "init") field.help += ", or a model file";
  if (field.name == "checkpoint") field.default_text = "MODEL.checkpoint";
  return field;
}

/// What inner validation may choose in place of a number.
bool* chosen_by(Auto& choose, const std::string& name) {
  if (name == "k") return &choose.components;
  if (name == "label_weight") return &choose.weight;
  if (name == "pull") return &choose.pull;
  return name == "eta_start" ? &choose.eta_start : nullptr;
}

Option add_field(Command& command, FitOptions& fit, const OptionField& field) {
  const std::string flag = flag_of(field.name);
  if (field.type == "yes/no")
    return command.add_flag_function(
        flag, [&fit, name = field.name] { set_option(fit, name, "true"); }, help_of(field));
  const auto set = [&fit, name = field.name](const std::string& text) {
    // A start may be a file as well; check_start looks at it.
    if (name == "init") fit.init = text;
    return name == "init" ? std::string() : set_from_flag(fit, name, text);
  };
  return command.add_option_function(flag, set, help_of(field)).type_name(field.value);
}

/// The same, or auto.
Option add_field_or_auto(Command& command, FitOptions& fit, const OptionField& field,
                         bool& choose) {
  const auto set = [&fit, &choose, name = field.name](const std::string& text) {
    choose = text == "auto";
    if (choose) return std::string();
    const std::string wrong = set_from_flag(fit, name, text);
    return wrong.empty() ? wrong : wrong + ", nor auto";
  };
  return command.add_option_function(flag_of(field.name), set, help_of(field))
      .type_name(field.value + "|auto");
}

/// A file that is called like a start is none.
bool is_start_file(const std::string& init) {
  FitOptions options;
  std::error_code ignored;
  return !init.empty() && !set_from_flag(options, "init", init).empty() &&
         std::filesystem::exists(init, ignored);
}

/// A start that is neither a known word nor a file is most likely a typing mistake.
void object_to_start(const std::string& init, std::vector<Problem>& problems) {
  FitOptions options;
  std::error_code ignored;
  if (init.empty() || std::filesystem::exists(init, ignored)) return;
  const std::string wrong = set_from_flag(options, "init", init);
  if (!wrong.empty())
    problems.push_back({"--init", wrong + ", and no file", "give one of these or a model file"});
}

}  // namespace

void add_prior_options(Command& command, FitOptions& fit, const std::string& group) {
  for (const OptionField& field : fit_option_fields()) {
    if (field.name == "alpha_prior" || field.name == "concentration")
      add_field(command, fit, field).group(group);
  }
}

void add_output_options(Command& command, FitArguments& a) {
  const std::string group = kOutputGroup;
  command.add_option("-o,--output", a.model_file, "the model file to write (required)")
      .type_name("MODEL")
      .group(group);
  command.add_option("--trace", a.trace, "write one line per iteration or minibatch")
      .type_name("FILE.csv")
      .group(group);
  for (const OptionField& field : fit_option_fields()) {
    if (field.group == group) add_field(command, a.fit, as_here(field)).group(group);
  }
  command.add_flag("--json", a.json, "the summary as one JSON object").group(group);
  command.add_flag("--quiet", a.quiet, "no progress").group(group);
  command.add_flag("--strict", a.strict, "exit with 4 if not converged or degenerate").group(group);
}

void add_model_and_search_options(Command& command, FitOptions& fit, Auto& choose) {
  for (const OptionField& field : fit_option_fields()) {
    if (field.group == kOutputGroup) continue;
    bool* automatic = chosen_by(choose, field.name);
    const OptionField here = as_here(field);
    const Option option = automatic != nullptr ? add_field_or_auto(command, fit, here, *automatic)
                                               : add_field(command, fit, here);
    option.group(as_flags(field.group));
  }
}

void add_fit_options(Command& command, FitArguments& arguments) {
  add_model_and_search_options(command, arguments.fit, arguments.choose);
  if (has_mpi()) {
    command
        .add_option("--wait", arguments.wait,
                    "give up when another process has not answered for so long; default 600")
        .type_name("SECONDS")
        .group("Search")
        .check(number_above_zero());
  }
  add_output_options(command, arguments);
}

void check_start(const FitOptions& fit, const std::string& files) {
  std::vector<Problem> problems;
  object_to_start(fit.init, problems);
  if (problems.empty() && is_start_file(fit.init))
    problems.push_back({"--init " + fit.init, files, "random, sample, kmeans or single"});
  if (!problems.empty()) throw InputError(std::move(problems));
}

std::optional<Model> start_model(const FitOptions& fit) {
  if (!is_start_file(fit.init)) return std::nullopt;
  return Model::load(fit.init);
}

void complete(FitArguments& arguments) {
  std::vector<Problem> problems;
  const bool found = finds_components(arguments.fit.model, arguments.fit.membership);
  if (arguments.fit.components == 0 && !arguments.choose.components && !found) {
    problems.push_back({"--k", "the number of profiles is missing", "for example --k 3"});
  }
  if (arguments.model_file.empty()) {
    problems.push_back(
        {"-o", "the name of the model file is missing", "for example -o model.medley"});
  }
  object_to_start(arguments.fit.init, problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  if (arguments.fit.checkpoint.empty())
    arguments.fit.checkpoint = arguments.model_file + ".checkpoint";
  complete_choice(arguments.fit, arguments.choose);
}

}  // namespace medley::cli
