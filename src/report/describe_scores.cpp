// SPDX-License-Identifier: Apache-2.0
// Scores as text: of a file, of hidden cells, of classes and their explanation, over folds.
#include "report/describe_scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "medley/report.hpp"
#include "report/fit_words.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"
#include "report/traits.hpp"

namespace medley {

// The scores of a file as a small table with a short explanation of each number.

namespace {

using report::grouped;

std::string score_row(const std::string& name, const std::string& value,
                      const std::string& remark) {
  return fmt::format("{}{}{}{}\n", report::left(name, 22), report::right(value, 16),
                     remark.empty() ? "" : "  ", remark);
}

std::string score_row(const BlockScore& block, Estimator estimator) {
  const std::string how = estimator == Estimator::completion ? "" : ", on its own";
  return score_row("  " + printable(block.block), grouped(block.above_baseline, 4),
                   fmt::format("+- {:.4f}; {} observations{}", block.above_error,
                               grouped(block.observations, 0), how));
}

std::string class_scores(const TruthScores& scores) {
  return fmt::format(
             "\nAgainst column \"{}\" ({} with a known class), by each row's top profile:\n",
             printable(scores.column), report::count(scores.rows, "row")) +
         score_row("accuracy", fmt::format("{:.4f}", scores.accuracy),
                   "profiles matched to classes on these rows: " + to_string(scores.match)) +
         score_row("micro-precision", fmt::format("{:.4f}", scores.micro_precision),
                   "share of rows in the majority class of their profile") +
         score_row("mutual information", fmt::format("{:.4f}", scores.mutual_information), "nats") +
         score_row("normalised", fmt::format("{:.4f}", scores.nmi),
                   "0: unrelated, 1: the same grouping");
}

}  // namespace

std::string describe(const Evaluation& scores) {
  std::string out;
  if (scores.label) out += describe(*scores.label) + "\n";
  if (!scores.label_note.empty()) out += printable(scores.label_note) + "\n\n";
  if (scores.observations > 0) {
    out +=
        score_row("above the baseline", grouped(scores.above_baseline, 4),
                  fmt::format("nats per observation, standard error {:.4f}", scores.above_error));
    for (const BlockScore& block : scores.block) out += score_row(block, scores.estimator);
  }
  out +=
      score_row("rows", grouped(scores.rows),
                scores.empty_rows > 0 ? grouped(scores.empty_rows) + " with nothing observed" : "");
  out += score_row("observations", grouped(scores.observations, 0),
                   "cells or words" + report::weighted_cells(scores.weights));
  out += score_row("log-likelihood", grouped(scores.log_likelihood, 2),
                   fmt::format("standard error {}", grouped(scores.standard_error, 2)));
  out += score_row("estimator", to_string(scores.estimator) + (scores.tempered ? ", tempered" : ""),
                   scores.reason);
  if (scores.sampling_error > 0) {
    out += score_row("", grouped(scores.sampling_error, 2), "standard error of the drawing alone");
  }
  out += score_row("baseline", grouped(scores.baseline, 2),
                   "every column by its share in the training data");
  if (scores.observations > 0)
    out += score_row("perplexity", grouped(scores.perplexity, 4), "per observation");
  out += score_row("log row perplexity", grouped(scores.log_row_perplexity, 4), "nats per row");
  out += score_row("membership entropy", fmt::format("{:.4f}", scores.mean_entropy),
                   "nats, mean over rows");
  if (scores.weights.used())
    out += "\n" + report::weights_sentence(scores.weights, scores.rows) + "\n";
  if (scores.poorly_drawn > 0) {
    out += fmt::format(
        "\nToo few draws: the estimates of {} rest on fewer than {:.0f} effective draws and are "
        "likely too low;\nmore `samples`, or compare by `estimator=\"completion\"`.\n",
        report::count(scores.poorly_drawn, "row"), kFewDraws);
  }
  if (scores.tempered) {
    out +=
        "\nTempered: block weights count in the observations and scores, so compare them only with "
        "scores\nunder the same weights.\n";
  }
  for (const TruthScores& each : scores.truth) out += class_scores(each);
  return out;
}

// How well hidden cells were predicted: a line for all, a line per block, the noise curve.

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

// The score of the prediction beside that of the column alone.
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

// How well classes are predicted: the scores with a short explanation, the confusion matrix, and
// the calibration of the probabilities.

namespace {

using report::grouped;
using report::left;
using report::right;

constexpr std::size_t kLabelName = 22, kLabelNumber = 16, kLabelCell = 10, kWidestLabel = 16;
// A larger matrix is unreadable; --json has it.
constexpr std::size_t kMostClasses = 20;

std::string label_row(const std::string& name, double value, const std::string& remark) {
  return fmt::format("{}{}  {}\n", left(name, kLabelName),
                     right(fmt::format("{:.4f}", value), kLabelNumber), remark);
}

std::string class_name(const std::string& name, std::size_t width) {
  return report::shortened(printable(name), width);
}

std::string scores_table(const LabelScores& s) {
  std::string out = label_row("accuracy", s.accuracy,
                              fmt::format("+- {:.4f}; always \"{}\": {:.4f}", s.accuracy_error,
                                          printable(s.baseline_class), s.baseline_accuracy));
  out += label_row("log-loss", s.log_loss,
                   fmt::format("+- {:.4f} nats per row; the classes' shares in these rows: {:.4f}",
                               s.log_loss_error, s.baseline_log_loss));
  out += label_row("Brier score", s.brier, "0: certain and right, 2: certain and wrong");
  out += label_row("macro F1", s.macro_f1, "mean over classes, rare ones count as much");
  out += label_row("calibration error", s.calibration_error,
                   "mean gap between the probability of the predicted class and its accuracy");
  return out;
}

std::string confusion(const LabelScores& s) {
  const std::size_t classes = s.classes.size();
  if (classes > kMostClasses)
    return fmt::format("\n{} classes: the confusion matrix is in `json`.\n", classes);
  std::size_t width = kLabelCell;
  for (const std::string& name : s.classes)
    width = std::max(width, std::min(report::width_of(printable(name)) + 1, kWidestLabel));
  std::string out = "\n" + left("true \\ predicted", kLabelName);
  for (const std::string& name : s.classes) out += right(class_name(name, width - 1), width);
  out += "\n";
  for (std::size_t y = 0; y <= classes; ++y) {
    if (y == classes && s.unknown == 0) continue;
    out += left(y < classes ? class_name(s.classes[y], kLabelName - 1) : "(unknown class)",
                kLabelName);
    for (std::size_t h = 0; h < classes; ++h) {
      const double rows = s.confusion[y * classes + h];
      const bool whole = rows == std::floor(rows);
      out += right(grouped(rows, whole ? 0 : 1), width);
    }
    out += "\n";
  }
  return out;
}

}  // namespace

namespace report {

std::string calibration_table(const std::vector<CalibrationBin>& bins) {
  std::string out = left("probability", kLabelName) + right("rows", kLabelCell) +
                    right("mean", kLabelCell) + right("accuracy", kLabelCell) + "\n";
  for (const CalibrationBin& bin : bins) {
    if (bin.rows == 0) continue;
    out += left(fmt::format("{:.1f} to {:.1f}", bin.low, bin.high), kLabelName) +
           right(grouped(bin.rows), kLabelCell) +
           right(fmt::format("{:.3f}", bin.confidence), kLabelCell) +
           right(fmt::format("{:.3f}", bin.accuracy), kLabelCell) + "\n";
  }
  return out;
}

}  // namespace report

std::string describe(const LabelScores& s) {
  std::string out = fmt::format("Class \"{}\" of {}, predicted ({} probabilities):\n",
                                printable(s.column), report::count(s.rows, "row"), s.method);
  if (s.unlabelled > 0)
    out += fmt::format("{} without a label left out.\n", report::count(s.unlabelled, "row"));
  if (s.unknown > 0) {
    out += fmt::format(
        "{} of classes that the model does not know: wrong in the accuracy, left out "
        "of the log-loss.\n",
        report::count(s.unknown, "row"));
  }
  return out + scores_table(s) + confusion(s) + "\n" + report::calibration_table(s.calibration);
}

// Cross-validation as a small table: train beside test, mean and standard deviation over the folds.

namespace {

constexpr int kFour = 4;

std::string fold_cell(const OverFolds& score, int decimals) {
  if (std::isnan(score.mean)) return "-";
  const std::string mean = report::grouped(score.mean, decimals);
  return std::isnan(score.sd) ? mean
                              : fmt::format("{} ± {}", mean, report::grouped(score.sd, decimals));
}

std::string fold_row(const std::string& name, const std::string& train, const std::string& test,
                     const std::string& remark) {
  return fmt::format("{}{}{}{}{}\n", report::left(name, 22), report::right(train, 26),
                     report::right(test, 26), remark.empty() ? "" : "  ", remark);
}

// "exact", or "exact, importance" where the folds differ.
std::string estimators(const CrossValidation& v) {
  std::set<std::string> names;
  for (const Fold& fold : v.folds) {
    names.insert(to_string(fold.train.estimator));
    names.insert(to_string(fold.test.estimator));
  }
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string quintiles(const FoldScores& train, const FoldScores& test) {
  constexpr const char* kRemark[] = {"a fifth of the rows: lowest entropy", "", "", "",
                                     "highest entropy"};
  std::string out = "\nPerplexity by the entropy of a row's membership:\n";
  for (std::size_t q = 0; q < train.entropy_quintile.size(); ++q)
    out += fold_row(fmt::format("part {} of 5", q + 1), fold_cell(train.entropy_quintile[q], kFour),
                    fold_cell(test.entropy_quintile[q], kFour), kRemark[q]);
  return out;
}

std::string matching(const TruthScores& scores) {
  const std::string where = scores.matched_on == MatchOn::scored
                                ? "within each side"
                                : "on the " + to_string(scores.matched_on) + " rows";
  switch (scores.match) {
    case Match::identity:
      return "profile 1 is the first class, and so on";
    case Match::hungarian:
      return "profiles matched one to one with classes, " + where;
    case Match::majority:
      break;
  }
  return "profiles stand for their majority class " + where;
}

std::string fold_truth(const CrossValidation& v, std::size_t t) {
  const FoldScores::Truth &a = v.train.truth[t], &b = v.test.truth[t];
  std::string out =
      fmt::format("\nAgainst column \"{}\", by each row's top profile:\n", printable(a.column));
  out += fold_row("accuracy", fold_cell(a.accuracy, kFour), fold_cell(b.accuracy, kFour),
                  matching(v.folds.front().test.truth[t]));
  out += fold_row("micro-precision", fold_cell(a.micro_precision, kFour),
                  fold_cell(b.micro_precision, kFour),
                  "majority class of each profile, within each side");
  out += fold_row("mutual information", fold_cell(a.mutual_information, kFour),
                  fold_cell(b.mutual_information, kFour), "nats");
  return out + fold_row("normalised", fold_cell(a.nmi, kFour), fold_cell(b.nmi, kFour),
                        "0: unrelated, 1: the same");
}

std::string label(const CrossValidation& v) {
  const FoldScores::Label &a = *v.train.label, &b = *v.test.label;
  std::string out =
      fmt::format("\nClasses of \"{}\" told from the other columns{}:\n", printable(b.column),
                  b.method == "two-step" ? ", in two steps" : "");
  out += fold_row("accuracy", fold_cell(a.accuracy, kFour), fold_cell(b.accuracy, kFour),
                  "probabilities: " + b.method);
  out += fold_row("log-loss", fold_cell(a.log_loss, kFour), fold_cell(b.log_loss, kFour),
                  "nats per row");
  out += fold_row("Brier score", fold_cell(a.brier, kFour), fold_cell(b.brier, kFour),
                  "0: sure and right");
  out += fold_row("macro F1", fold_cell(a.macro_f1, kFour), fold_cell(b.macro_f1, kFour),
                  "mean over classes");
  constexpr double kNoSpread = std::numeric_limits<double>::quiet_NaN();
  out += fold_row("calibration error", fold_cell({a.calibration_error, kNoSpread}, kFour),
                  fold_cell({b.calibration_error, kNoSpread}, kFour),
                  "gap of probability and accuracy; all folds together");
  if (v.stratified) out += "Folds are stratified: each has the same share of every class.\n";
  std::size_t unknown = 0;
  for (const Fold& fold : v.folds) unknown += fold.test.label ? fold.test.label->unknown : 0;
  if (unknown > 0)
    out += fmt::format("{} of classes that their training rows do not hold: counted as wrong\n",
                       report::count(unknown, "test row"));
  return out + "\nTest rows by the probability of their likeliest class:\n" +
         report::calibration_table(b.calibration);
}

}  // namespace

std::string describe(const CrossValidation& v) {
  const FoldScores &train = v.train, &test = v.test;
  std::string out =
      fold_row(report::count(v.folds.size(), "fold"), "train", "test", "mean ± sd over the folds");
  out +=
      fold_row("above the baseline", fold_cell(train.above_baseline, kFour),
               fold_cell(test.above_baseline, kFour), "nats per cell, over the training marginals");
  out +=
      fold_row("perplexity", fold_cell(train.perplexity, kFour), fold_cell(test.perplexity, kFour),
               "per cell or word; estimator: " + estimators(v));
  out += fold_row("log row perplexity", fold_cell(train.log_row_perplexity, kFour),
                  fold_cell(test.log_row_perplexity, kFour), "nats per row");
  out += fold_row("log-likelihood", fold_cell(train.log_likelihood, 1),
                  fold_cell(test.log_likelihood, 1), "of a fold's rows");
  out += fold_row("membership entropy", fold_cell(train.mean_entropy, kFour),
                  fold_cell(test.mean_entropy, kFour), "nats, mean over rows");
  out += fold_row("unseen cells", "-", fold_cell(test.unseen, 1),
                  "values or words not in the training rows' columns, taken as missing");
  if (test.label && train.label) out += label(v);
  out += quintiles(train, test);
  for (std::size_t t = 0; t < train.truth.size(); ++t) out += fold_truth(v, t);
  if (v.weights.used()) out += "\n" + report::weights_sentence(v.weights, v.rows) + "\n";
  if (std::ranges::any_of(
          v.folds, [&](const Fold& fold) { return fold.train.rows + fold.test.rows < v.rows; }))
    out += "\ntrain: of the rows that the next fold tests, since scores are drawn\n";
  if (v.not_converged > 0)
    out += fmt::format("\n{} of {} did not converge: raise `max_iterations`\n", v.not_converged,
                       report::count(v.folds.size(), "fit"));
  return out;
}

// The explanation of a prediction, a phrase for each profile and cell. Names are as in the files,
// because they go into tables, not to a terminal.

std::string describe(const ProfileDriver& driver, const Model& model,
                     const std::string& predicted) {
  return fmt::format("{} ({} of the row, {} {}): {:+.2f}", model.title(driver.component),
                     report::percent(driver.share), report::percent(driver.within), predicted,
                     driver.effect);
}

std::string describe(const CellDriver& driver, const Dataset& data) {
  const Block& block = data.blocks[driver.block];
  const Feature& feature = block.features[driver.feature];
  const std::size_t level = driver.slot - block.first_slot[driver.feature];
  std::string cell;
  switch (block.encoding) {
    case Encoding::real:
      cell = fmt::format("{} = {}", feature.name, driver.value);
      break;
    case Encoding::tokens:
      cell = feature.levels[level];
      if (driver.weight != 1) cell += fmt::format(" ({} times)", driver.weight);
      break;
    case Encoding::levels:
      cell = fmt::format("{} = {}", feature.name, report::label_of(feature, level));
      break;
  }
  return fmt::format("{}: {:+.2f} (alone {:+.2f})", cell, driver.effect, driver.alone);
}

}  // namespace medley
