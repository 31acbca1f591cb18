// SPDX-License-Identifier: Apache-2.0
// How well hidden cells were predicted: a line for all, a line per block, the noise curve.
#include <fmt/format.h>

#include <cmath>

#include "medley/report.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"

namespace medley {
namespace {

using report::left;
using report::right;

constexpr std::size_t kHoldoutName = 20, kHoldoutNumber = 11;

std::string holdout_number(double value, std::size_t cells) {
  if (cells == 0) return right("-", kHoldoutNumber);
  return right(std::abs(value) < 1e4 ? report::grouped(value, 4) : fmt::format("{:.4g}", value),
               kHoldoutNumber);
}

std::string heading(const std::vector<std::string>& names) {
  std::string line = left("", kHoldoutName);
  for (const std::string& name : names) line += right(name, kHoldoutNumber);
  return line + "\n";
}

// What is predicted next to what the column alone says.
std::string losses(const std::vector<CellScores>& scores) {
  std::string out = heading({"cells", "log-loss", "column", "gain", "+-"});
  for (const CellScores& s : scores) {
    out += left(report::shortened(printable(s.what), kHoldoutName - 1), kHoldoutName) +
           right(report::grouped(s.cells), kHoldoutNumber) + holdout_number(s.log_loss, s.cells) +
           holdout_number(s.baseline_log_loss, s.cells) +
           holdout_number(s.baseline_log_loss - s.log_loss, s.cells) +
           holdout_number(s.gain_error, s.cells) + "\n";
  }
  return out;
}

std::string guesses(const std::vector<CellScores>& scores) {
  std::string out =
      heading({"accuracy", "column", "RMSE", "column", "RMSE/sd", "in 50 %", "in 90 %"});
  for (const CellScores& s : scores) {
    out += left(report::shortened(printable(s.what), kHoldoutName - 1), kHoldoutName) +
           holdout_number(s.accuracy, s.level_cells) +
           holdout_number(s.baseline_accuracy, s.level_cells) +
           holdout_number(s.rmse, s.number_cells) +
           holdout_number(s.baseline_rmse, s.number_cells) +
           holdout_number(s.scaled_rmse, s.number_cells) +
           holdout_number(s.coverage50, s.number_cells) +
           holdout_number(s.coverage90, s.number_cells) + "\n";
  }
  return out;
}

std::string noise(const std::vector<NoiseScores>& scores) {
  std::string out = "\nHidden yes/no cells with a share of them flipped:\n" +
                    heading({"flipped", "log-loss", "perplexity", "of rows"});
  for (const NoiseScores& s : scores) {
    out +=
        left(fmt::format("{:g} % of {}", 100 * s.share, report::grouped(s.cells)), kHoldoutName) +
        right(report::grouped(s.flipped), kHoldoutNumber) + holdout_number(s.log_loss, s.cells) +
        holdout_number(std::exp(s.log_loss), s.cells) + holdout_number(s.perplexity, s.cells) +
        "\n";
  }
  return out;
}

}  // namespace

std::string describe(const std::vector<std::pair<std::size_t, Holdout>>& holdouts) {
  std::string out;
  std::size_t best = 0;
  for (std::size_t i = 0; i < holdouts.size(); ++i) {
    const auto& [size, holdout] = holdouts[i];
    if (holdout.scores.empty()) return "";
    const CellScores& all = holdout.scores.front();
    if (i == 0) {
      out = fmt::format(
                "{} hidden and predicted from the rest of their rows, by models of {} sizes.\n\n",
                report::count(all.cells, "cell"), holdouts.size()) +
            heading({"log-loss", "gain", "+-", "accuracy", "RMSE/sd", "in 50 %", "in 90 %"});
    }
    if (all.log_loss < holdouts[best].second.scores.front().log_loss) best = i;
    out +=
        left(fmt::format("K = {}", size), kHoldoutName) + holdout_number(all.log_loss, all.cells) +
        holdout_number(all.baseline_log_loss - all.log_loss, all.cells) +
        holdout_number(all.gain_error, all.cells) + holdout_number(all.accuracy, all.level_cells) +
        holdout_number(all.scaled_rmse, all.number_cells) +
        holdout_number(all.coverage50, all.number_cells) +
        holdout_number(all.coverage90, all.number_cells) + "\n";
  }
  out += fmt::format(
      "\nBest by log-loss (nats per cell): K = {}. The same cells are hidden at every K. gain: how "
      "much\nbetter than the column alone, with its standard error.\n",
      holdouts[best].first);
  return out;
}

std::string describe(const Holdout& holdout) {
  if (holdout.scores.empty()) return "";
  // one block: "all" says it
  const std::vector<CellScores> lines =
      holdout.scores.size() == 2 ? std::vector(1, holdout.scores.front()) : holdout.scores;
  const CellScores& all = holdout.scores.front();
  std::string out = fmt::format("{} hidden and predicted from the rest of their rows.\n\n",
                                report::count(all.cells, "cell"));
  out += losses(lines) + "\n" + guesses(lines);
  if (!holdout.flipped.empty()) out += noise(holdout.flipped);
  out +=
      "\nlog-loss in nats per cell, lower is better; column: by the column alone, as it is in "
      "the\n";
  out += "training data. gain: how much better the model is, with its standard error.\n";
  if (all.number_cells > 0) {
    out +=
        "RMSE/sd: errors over the column's standard deviation. in 50 %, in 90 %: share of "
        "numbers\n";
    out += "inside their central interval.\n";
  }
  return out;
}

}  // namespace medley
