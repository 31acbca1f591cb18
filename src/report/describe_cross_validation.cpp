// SPDX-License-Identifier: Apache-2.0
// Cross-validation as a small table: train beside test, mean and standard deviation over the folds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "medley/report.hpp"
#include "report/calibration.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"
#include "report/weights.hpp"

namespace medley {
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
  if (v.not_converged > 0)
    out += fmt::format("\n{} of {} did not converge: raise `max_iterations`\n", v.not_converged,
                       report::count(v.folds.size(), "fit"));
  return out;
}

}  // namespace medley
