// SPDX-License-Identifier: Apache-2.0
// Choices as text: a table with a row per K, options chosen by inner validation, families ranked
// column by column.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "choose/verdicts.hpp"
#include "medley/fit.hpp"
#include "medley/report.hpp"
#include "medley/select.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"

namespace medley {

// A selection as one table, a row per K: criteria with standard errors, how often the best fit was
// found again, the smallest profile. Then the best K of each criterion and a sentence of advice.

namespace {

constexpr std::size_t kGap = 2;

bool has_smoothing(const Selection& s) {
  return std::ranges::any_of(s.candidates,
                             [](const SelectionCandidate& c) { return c.smoothing >= 0; });
}

// Criteria of topics; every block of words or tags has its own.
bool of_a_block(const SelectionVerdict& v) {
  return v.criterion == "coherence" || v.criterion == "exclusivity";
}

// Up to this many blocks have a column each; more are averaged.
constexpr std::size_t kMostBlocks = 2;

std::size_t blocks_of(const Selection& s, const std::string& criterion) {
  return static_cast<std::size_t>(
      std::ranges::count(s.verdicts, criterion, &SelectionVerdict::criterion));
}

bool averaged(const Selection& s, const SelectionVerdict& v) {
  return of_a_block(v) && blocks_of(s, v.criterion) > kMostBlocks;
}

std::string criterion_title(const SelectionVerdict& v) {
  if (v.criterion == "cv") return "held out";
  if (v.criterion == "aic") return "AIC " + v.basis;
  if (v.criterion == "bic") return "BIC " + v.basis;
  if (v.criterion == "dic") return "DIC";
  if (v.criterion == "pearson-squares") return "patterns r²";
  if (v.criterion == "pearson-absolute") return "|r|";
  if (of_a_block(v)) return v.criterion + " " + report::shortened(printable(v.basis), 16);
  return v.criterion;
}

std::string score_number(const SelectionVerdict& v, const SelectionScore& score) {
  const bool fine =
      v.criterion == "cv" || v.criterion == "coherence" || v.criterion == "exclusivity";
  const int decimals = fine ? (std::abs(score.value) >= 100 ? 2 : 4) : 1;
  std::string out = report::grouped(score.value, decimals);
  if (score.error > 0) out += " ± " + report::grouped(score.error, fine ? decimals : 0);
  return out;
}

// * the best, + the one-standard-error choice, ? chains that have not mixed.
std::string mark(const SelectionVerdict& v, std::size_t candidate, const SelectionScore& score) {
  std::string out = score.usable ? "" : "?";
  if (v.best == candidate) out += '*';
  if (choose::has_modest(v.criterion) && v.modest == candidate) out += '+';
  return report::left(out, 2);
}

struct Column {
  std::string head;
  std::vector<std::string> cells;
};

Column column_of(const Selection& s, const SelectionVerdict& v) {
  Column out{criterion_title(v) + "  ", {}};
  for (std::size_t c = 0; c < s.candidates.size(); ++c) {
    const auto& scores = s.candidates[c].scores;
    const auto found = std::ranges::find_if(scores, [&](const SelectionScore& score) {
      return score.criterion == v.criterion && score.basis == v.basis;
    });
    out.cells.push_back(found == scores.end() ? "-  "
                                              : score_number(v, *found) + mark(v, c, *found));
  }
  return out;
}

/// The mean of a criterion over all blocks.
Column average_column(const Selection& s, const std::string& criterion) {
  Column out{criterion + "  ", {}};
  for (const SelectionCandidate& c : s.candidates) {
    double sum = 0;
    std::size_t count = 0;
    for (const SelectionScore& score : c.scores) {
      if (score.criterion != criterion || !std::isfinite(score.value)) continue;
      sum += score.value;
      ++count;
    }
    constexpr int kDecimals = 4;
    out.cells.push_back(
        count == 0 ? "-  " : report::grouped(sum / static_cast<double>(count), kDecimals) + "  ");
  }
  return out;
}

std::vector<Column> columns_of(const Selection& s) {
  std::vector<Column> out;
  Column k{"K", {}}, eps{"smoothing", {}};
  Column again{"found again", {}}, alike{"alike", {}}, smallest{"smallest", {}};
  for (const SelectionCandidate& c : s.candidates) {
    k.cells.push_back(std::to_string(c.components));
    eps.cells.push_back(c.smoothing >= 0 ? fmt::format("{:g}", c.smoothing) : "");
    again.cells.push_back(
        fmt::format("{} of {}{}", c.again, c.restarts, c.split_won ? ", split" : ""));
    alike.cells.push_back(c.restarts > 1 ? fmt::format("{:.2f}", c.similarity) : "-");
    smallest.cells.push_back(report::percent(c.smallest));
  }
  out.push_back(std::move(k));
  if (has_smoothing(s)) out.push_back(std::move(eps));
  // cv first
  for (const bool folds : {true, false}) {
    for (const SelectionVerdict& v : s.verdicts)
      if ((v.criterion == "cv") == folds && !averaged(s, v)) out.push_back(column_of(s, v));
  }
  for (const char* criterion : {"coherence", "exclusivity"})
    if (blocks_of(s, criterion) > kMostBlocks) out.push_back(average_column(s, criterion));
  out.push_back(std::move(again));
  out.push_back(std::move(alike));
  out.push_back(std::move(smallest));
  return out;
}

// Columns side by side; those that do not fit the screen follow below, after K again.
std::string candidate_table(const Selection& s) {
  constexpr std::size_t kScreen = 120;
  const std::vector<Column> columns = columns_of(s);
  const std::size_t keys = has_smoothing(s) ? 2 : 1;
  std::vector<std::string> lines(s.candidates.size() + 1);
  std::string out;
  const auto add = [&](const Column& column, std::size_t width) {
    lines[0] += report::right(column.head, width);
    for (std::size_t c = 0; c < column.cells.size(); ++c)
      lines[c + 1] += report::right(column.cells[c], width);
  };
  const auto width_of = [](const Column& column) {
    std::size_t width = report::width_of(column.head);
    for (const std::string& cell : column.cells) width = std::max(width, report::width_of(cell));
    return width + kGap;
  };
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t width = width_of(columns[i]);
    if (i > keys && report::width_of(lines[0]) + width > kScreen) {
      for (std::string& line : lines) {
        out += line + '\n';
        line.clear();
      }
      out += '\n';
      for (std::size_t key = 0; key < keys; ++key) add(columns[key], width_of(columns[key]));
    }
    add(columns[i], width);
  }
  for (const std::string& line : lines) out += line + '\n';
  return out;
}

std::string estimators_of(const Selection& s, const std::string& criterion) {
  std::vector<std::string> names;
  for (const SelectionCandidate& c : s.candidates) {
    for (const SelectionScore& score : c.scores) {
      if (score.criterion == criterion && score.basis != "bound" &&
          std::ranges::find(names, score.estimator) == names.end())
        names.push_back(score.estimator);
    }
  }
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string legend(const Selection& s) {
  std::string out =
      "* best, + smallest K within one standard error of the best (held out: of the difference, "
      "row "
      "by row); ± standard error.\n";
  if (s.folds > 0)
    out += fmt::format("held out: nats per row over {} folds, estimator: {}.\n", s.folds,
                       estimators_of(s, "cv"));
  if (s.patterns.count > 0)
    out += fmt::format(
        "patterns: {} patterns of answers that {} rows or more have ({} rows in all); r = "
        "(observed - expected) / sqrt(expected).\n",
        s.patterns.count, report::grouped(s.patterns.least_count, 0),
        report::grouped(s.patterns.observed, 0));
  if (const std::size_t blocks = blocks_of(s, "coherence"); blocks > kMostBlocks)
    out += fmt::format(
        "coherence, exclusivity: means of {} blocks; criteria.csv and `json` have each.\n", blocks);
  out +=
      "found again: restarts within 1e-4 of the best bound; split: the best fit came from the K "
      "before.\nalike: profiles of the other restarts, 1 the same as the best; smallest: share "
      "of the smallest profile.\n";
  return out;
}

std::string place(const Selection& s, std::size_t candidate) {
  const SelectionCandidate& c = s.candidates[candidate];
  return c.smoothing >= 0 ? fmt::format("{} (smoothing {:g})", c.components, c.smoothing)
                          : std::to_string(c.components);
}

// The margin of the best K: the closest other K of a series, with the error of the difference.
std::string runner_up(const Selection& s, const SelectionVerdict& v) {
  const SelectionScore* next = nullptr;
  std::size_t at = 0;
  for (std::size_t c = 0; c < s.candidates.size(); ++c) {
    for (const SelectionScore& score : s.candidates[c].scores) {
      if (score.criterion != v.criterion || score.basis != v.basis || !score.behind) continue;
      if (c == v.best || (next != nullptr && *score.behind >= *next->behind)) continue;
      next = &score;
      at = c;
    }
  }
  if (next == nullptr) return "";
  const int decimals = v.criterion == "cv" ? 4 : 1;
  return fmt::format("; next is {}, behind by {} ± {}", place(s, at),
                     report::grouped(*next->behind, decimals),
                     report::grouped(next->behind_error, decimals));
}

// The number of blocks that prefer each K: "K = 2 (18 blocks), 3 (12)".
std::string block_votes(const Selection& s, const std::string& criterion) {
  std::map<std::string, std::size_t> votes;
  for (const SelectionVerdict& v : s.verdicts)
    if (v.criterion == criterion) ++votes[place(s, v.best)];
  std::vector<std::pair<std::string, std::size_t>> order(votes.begin(), votes.end());
  std::ranges::sort(order, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::string out;
  for (const auto& [k, count] : order)
    out += fmt::format("{}{} ({}{})", out.empty() ? "K = " : ", ", k, count,
                       out.empty() ? (count == 1 ? " block" : " blocks") : "");
  return out;
}

std::string choices(const Selection& s) {
  std::string out;
  for (const char* criterion : {"coherence", "exclusivity"}) {
    if (blocks_of(s, criterion) > kMostBlocks)
      out += "  " + report::left(criterion, 16) + block_votes(s, criterion) + '\n';
  }
  for (const SelectionVerdict& v : s.verdicts) {
    if (averaged(s, v)) continue;
    std::string name = criterion_title(v);
    if (v.criterion == "pearson-absolute") name = "patterns |r|";
    out += "  " + report::left(name, std::max<std::size_t>(16, report::width_of(name) + 1)) +
           "K = " + place(s, v.best);
    if (choose::has_modest(v.criterion))
      out += fmt::format(", one standard error: {}", place(s, v.modest));
    out += runner_up(s, v) + (v.usable ? "" : "  (not mixed)") + '\n';
  }
  if (s.clusters)
    out += "  " + report::left("DP posterior", 16) +
           fmt::format("K = {}, 90 %: {} to {}{}\n", s.clusters->mode, s.clusters->low,
                       s.clusters->high, s.clusters->mixed ? "" : "  (not mixed)");
  return out;
}

}  // namespace

std::string describe(const Selection& selection) {
  std::string out = candidate_table(selection) + '\n' + legend(selection) +
                    "\nBest by each criterion:\n" + choices(selection);
  for (const std::string& warning : selection.warnings) out += "Warning: " + warning + ".\n";
  return out + '\n' + selection.advice + '\n';
}

// The candidates and choices of inner validation, option by option.

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

// Families ranked column by column, with the options to use.

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
