// SPDX-License-Identifier: Apache-2.0
#include "label_options.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "arguments.hpp"
#include "checks.hpp"

namespace medley::cli {
namespace {

constexpr const char* kAuto = "auto";

/// What the check wants, or the word auto.
Check or_auto(const Check& check) {
  return [check](const std::string& text) -> std::string {
    if (text == kAuto) return "";
    const std::string wrong = check(text);
    return wrong.empty() ? "" : wrong + ", nor auto";
  };
}

/// An option whose value is a number, or auto: then inner validation chooses.
Option add_number_or_auto(Command& command, const std::string& name, const Check& check,
                          const std::function<void(double)>& set, bool& choose) {
  return command
      .add_option_function(name,
                           [set, &choose](const std::string& text) {
                             choose = text == kAuto;
                             if (!choose) set(std::strtod(text.c_str(), nullptr));
                             return std::string();
                           })
      .check(or_auto(check));
}

}  // namespace

Option add_sizes_option(Command& command, FitOptions& fit, Auto& choose,
                        std::vector<std::size_t>& sizes) {
  const auto take = [&](const std::string& text) {
    choose.components = text == kAuto;
    sizes.clear();
    for (const std::string& piece : comma_list(choose.components ? "" : text))
      sizes.push_back(static_cast<std::size_t>(std::strtod(piece.c_str(), nullptr)));
    fit.components = sizes.empty() ? 0 : sizes.front();
    return std::string();
  };
  const Check each = [](const std::string& text) -> std::string {
    if (text == kAuto) return "";
    for (const std::string& piece : comma_list(text)) {
      if (const std::string wrong = whole_number(1)(piece); !wrong.empty())
        return wrong + ", nor several with commas, nor auto";
    }
    return "";
  };
  return command.add_option_function("--k", take).check(each).type_name("N,...|auto");
}

Option add_size_option(Command& command, FitOptions& fit, Auto& choose) {
  const auto set = [&fit](double k) { fit.components = static_cast<std::size_t>(k); };
  return add_number_or_auto(command, "--k", whole_number(1), set, choose.components)
      .description(
          "number of profiles or topics (required); with a label also auto: by inner\n"
          "validation, with the label weight and the pull unless they are given")
      .type_name("N|auto");
}

void add_label_options(Command& command, FitOptions& fit, Auto& choose) {
  const auto group = "Label";
  LabelOptions& label = fit.label;
  const auto words = [&](const char* name, std::string& to, const char* help,
                         std::vector<std::string> allowed) {
    command.add_option(name, to, help)
        .type_name("HOW")
        .group(group)
        .check(one_of(std::move(allowed)));
  };
  const auto number = [&](const char* name, double& to, const Check& check, bool& automatic,
                          const char* help) {
    add_number_or_auto(
        command, name, check, [&to](double value) { to = value; }, automatic)
        .description(help)
        .type_name("X|auto")
        .group(group);
  };
  words("--head", label.head,
        "softmax: learn the label with the profiles (default); none: set aside",
        {"softmax", "none"});
  words("--label-bound", label.bound, "lse (default), or paper: the looser one of the papers",
        {"lse", "paper"});
  number("--label-weight", label.weight, number_above_zero(), choose.weight,
         "how often the label's likelihood counts; default as much as the rest of the\n"
         "row (1 in the presets of the papers); auto with --k auto");
  command
      .add_option("--label-smoothing", label.smoothing,
                  "imagined rows of every class in every profile; default 0.1")
      .type_name("S")
      .group(group)
      .check(number_from_zero());
  words("--objective", label.objective,
        "joint (default), or conditional: then tuned to tell the classes",
        {"joint", "conditional"});
  number("--pull", label.pull, number_above_zero(), choose.pull,
         "conditional: how strongly it is held to the joint fit; default 10");
  number("--eta-start", label.eta_start, number_from_zero(), choose.eta_start,
         "start eta at this times the identity, as in the papers");
}

void complete_choice(const FitOptions& fit, Auto& choose) {
  if (!choose.components) return;
  if (fit.label.weight <= 0) choose.weight = true;
  if (fit.label.objective == "conditional" && fit.label.pull <= 0) choose.pull = true;
}

}  // namespace medley::cli
