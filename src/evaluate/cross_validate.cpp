// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/problems.hpp"
#include "core/rng.hpp"
#include "data/select_rows.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"

namespace medley {
namespace evaluation {
namespace {

constexpr std::uint64_t kPurpose = 0x464F4C44;  // keeps the folds apart from other uses of a seed

void check(const Dataset& data, std::size_t folds) {
  core::Problems problems;
  if (folds < 2) problems.add("--folds", "at least 2 folds are needed", "for example --folds 10");
  if (folds > data.rows)
    problems.add(
        "--folds",
        "there are " + std::to_string(folds) + " folds and " + std::to_string(data.rows) + " rows",
        "choose fewer folds");
  problems.throw_if_any();
}

// Progress over all folds: every fold counts as so many restarts more.
FitHooks hooks_of_fold(const FitHooks& hooks, std::size_t fold, std::size_t folds) {
  FitHooks out;
  out.stop = hooks.stop;
  if (hooks.progress) {
    out.progress = [&hooks, fold, folds](const Progress& progress) {
      Progress p = progress;
      p.restart += fold * p.restarts;
      p.restarts *= folds;
      p.seconds_left = -1;
      hooks.progress(p);
    };
  }
  return out;
}

// One side of all folds so far.
class Side {
 public:
  void add(const Evaluation& scores) {
    perplexity_.push_back(scores.perplexity);
    log_likelihood_.push_back(scores.log_likelihood);
    const double above = scores.log_likelihood - scores.baseline;
    above_.push_back(scores.observations > 0 ? above / scores.observations : 0.0);
    truth_.push_back(scores.truth);
  }

  [[nodiscard]] FoldScores scores() const {
    FoldScores out{over(perplexity_), over(log_likelihood_), over(above_), {}};
    for (std::size_t t = 0; !truth_.empty() && t < truth_.front().size(); ++t) {
      out.truth.push_back({truth_.front()[t].column, over(t, &TruthScores::micro_precision),
                           over(t, &TruthScores::mutual_information), over(t, &TruthScores::nmi)});
    }
    return out;
  }

 private:
  static OverFolds over(const std::vector<double>& values) {
    if (values.empty()) return {};
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return {mean, values.size() > 1 ? std::sqrt(squares / (n - 1)) : 0.0};
  }

  [[nodiscard]] OverFolds over(std::size_t column, double TruthScores::* score) const {
    std::vector<double> values;
    for (const auto& fold : truth_) values.push_back(fold[column].*score);
    return over(values);
  }

  std::vector<double> perplexity_, log_likelihood_, above_;
  std::vector<std::vector<TruthScores>> truth_;  // per fold, per column
};

}  // namespace
}  // namespace evaluation

std::vector<std::size_t> fold_of_rows(std::size_t rows, std::size_t folds, std::uint64_t seed) {
  std::vector<std::size_t> order(rows), fold(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  core::Rng rng(seed, evaluation::kPurpose);
  for (std::size_t i = rows; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  for (std::size_t i = 0; i < rows; ++i) fold[order[i]] = i % folds;
  return fold;
}

CrossValidation cross_validate(const Dataset& data, const FitOptions& fitting, std::size_t folds,
                               const EvaluateOptions& scoring, const FitHooks& hooks) {
  evaluation::check(data, folds);
  const std::vector<std::size_t> fold_of = fold_of_rows(data.rows, folds, fitting.seed);
  CrossValidation out;
  evaluation::Side train, test;
  for (std::size_t fold = 0; fold < folds && !out.interrupted; ++fold) {
    std::vector<std::size_t> rest, held_out;
    for (std::size_t row = 0; row < data.rows; ++row)
      (fold_of[row] == fold ? held_out : rest).push_back(row);
    const Dataset rows = data::select_rows(data, rest);
    const Model model = fit(rows, fitting, evaluation::hooks_of_fold(hooks, fold, folds));
    out.interrupted = model.summary().termination == Termination::interrupted;
    if (out.interrupted) break;
    if (model.summary().termination != Termination::converged) ++out.not_converged;
    const Evaluation scores = evaluate(model, rows, scoring);
    out.estimator = scores.estimator;
    train.add(scores);
    test.add(evaluate(model, data::select_rows(data, held_out), scoring));
    ++out.folds;
  }
  out.train = train.scores();
  out.test = test.scores();
  return out;
}

}  // namespace medley
