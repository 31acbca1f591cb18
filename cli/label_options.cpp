// SPDX-License-Identifier: Apache-2.0
#include "label_options.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "arguments.hpp"
#include "checks.hpp"
#include "medley/error.hpp"

namespace medley::cli {
namespace {

constexpr const char* kAuto = "auto";

}  // namespace

Option add_sizes_option(Command& command, FitOptions& fit, Auto& choose,
                        std::vector<std::size_t>& sizes) {
  const auto take = [&](const std::string& text) {
    choose.components = text == kAuto;
    sizes.clear();
    for (const std::string& piece : comma_list(choose.components ? "" : text))
      sizes.push_back(nearest_integer_of<std::size_t>(std::strtod(piece.c_str(), nullptr)));
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

void complete_choice(const FitOptions& fit, Auto& choose) {
  if (!choose.components) return;
  if (!fit.label.weight) choose.weight = true;
  if (fit.label.objective == LabelObjective::conditional && !fit.label.pull) choose.pull = true;
}

}  // namespace medley::cli
