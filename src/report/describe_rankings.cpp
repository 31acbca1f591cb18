// SPDX-License-Identifier: Apache-2.0
// Families ranked column by column, and the options to paste.
#include <fmt/format.h>

#include "medley/report.hpp"
#include "medley/select.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"

namespace medley {
namespace {

std::string family_line(const RankedFamily& f, const ColumnRanking& ranking) {
  const std::string behind =
      f.behind == 0 ? "best" : fmt::format("{:.4f} ± {:.4f} behind", f.behind, f.behind_error);
  return fmt::format("  {}{:>10.4f} ± {:.4f}  {}  {}{}\n", report::left(f.family, 18), f.score,
                     f.standard_error, report::left(behind, 25),
                     report::count(f.components, "component"),
                     f.family == ranking.inferred ? "  <- taken for this" : "");
}

std::string column(const ColumnRanking& ranking) {
  std::string out =
      fmt::format("{}: {}, {}\n", printable(ranking.column),
                  ranking.step == 1  ? "whole numbers"
                  : ranking.step > 0 ? fmt::format("numbers in steps of {}", ranking.step)
                                     : "numbers",
                  report::count(ranking.cells, "cell"));
  for (const RankedFamily& family : ranking.families) out += family_line(family, ranking);
  if (ranking.families.empty()) out += "  no family takes every value\n";
  if (ranking.find(ranking.inferred) == nullptr)
    out += fmt::format("  taken for {}, which is not on this scale\n", ranking.inferred);
  if (ranking.disagrees())
    out += fmt::format("  the data prefer: `column='{}={}'`\n", printable(ranking.column),
                       ranking.families.front().family);
  return out + '\n';
}

}  // namespace

std::string describe(const std::vector<ColumnRanking>& rankings) {
  if (rankings.empty())
    return "No column holds enough numbers (30 cells, 3 different values) to choose a family "
           "for.\n";
  std::string out, options;
  for (const ColumnRanking& ranking : rankings) {
    out += column(ranking);
    if (ranking.disagrees())
      options += fmt::format(" `column='{}={}'`", printable(ranking.column),
                             ranking.families.front().family);
  }
  out +=
      "Scores are nats per held-out cell (5 folds), more is better, the better of 1 and 3\n"
      "components of the column alone. A family of real numbers is given the mass of the step in\n"
      "which x was recorded, (x - 0.5, x + 0.5] for whole numbers, so that all families of a\n"
      "column are on one scale.\n";
  out += options.empty() ? "No column is clearly better as something else.\n"
                         : "To follow the data (more than two standard errors):" + options + "\n";
  return out;
}

}  // namespace medley
