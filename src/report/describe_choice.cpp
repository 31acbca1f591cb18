// SPDX-License-Identifier: Apache-2.0
// What inner validation tried and took, option by option.
#include <fmt/format.h>

#include "medley/fit.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"

namespace medley {

std::string describe(const ChosenOptions& choice) {
  if (choice.tried.empty()) return "";
  std::string out =
      fmt::format("Chosen by how well the classes of {} are told, held out in turn ({}):\n",
                  report::count(choice.rows, "row"), report::count(choice.fits, "fit"));
  std::string option;
  for (const Tried& tried : choice.tried) {
    if (tried.option != option)
      out += fmt::format("  {}{}{}\n", report::left('`' + tried.option + '`', 26),
                         report::right("accuracy", 16), report::right("log-loss", 16));
    option = tried.option;
    out += fmt::format("  {}{}{}{}\n", report::right(fmt::format("{:.4g}", tried.value), 26),
                       report::right(report::measured(tried.accuracy, tried.accuracy_error), 16),
                       report::right(report::measured(tried.log_loss, tried.log_loss_error), 16),
                       tried.chosen ? "  <- taken" : "");
  }
  return out;
}

}  // namespace medley
