// SPDX-License-Identifier: Apache-2.0
#include "evaluate/cross_validate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "core/files.hpp"
#include "core/parallel.hpp"
#include "core/problems.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "data/select_rows.hpp"
#include "data/weights.hpp"
#include "evaluate/estimators.hpp"
#include "evaluate/fold_data.hpp"
#include "evaluate/match.hpp"
#include "evaluate/purposes.hpp"
#include "evaluate/two_step.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/predict.hpp"
#include "model/model_on_data.hpp"
#include "model/resolve.hpp"

namespace medley::evaluation {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Folds without the score (NaN) do not count.
template <class Score>
OverFolds over(const std::vector<Fold>& folds, FoldSide Fold::* side, Score&& score) {
  std::vector<double> values;
  for (const Fold& fold : folds) {
    const auto value = static_cast<double>(score(fold.*side));
    if (!std::isnan(value)) values.push_back(value);
  }
  if (values.empty()) return {kNone, kNone};
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (n - 1)) : kNone};
}

}  // namespace

FoldSide fold_side(const Evaluation& scores, const Dataset& rows) {
  FoldSide out;
  out.estimator = scores.estimator;
  out.rows = scores.rows;
  for (const Block& block : rows.blocks) out.unseen += block.unseen;
  out.observations = scores.observations;
  out.log_likelihood = scores.log_likelihood;
  const bool any = scores.observations > 0;
  out.perplexity = any ? scores.perplexity : kNone;
  out.log_row_perplexity = any ? scores.log_row_perplexity : kNone;
  const double above = scores.log_likelihood - scores.baseline;
  out.above_baseline = any ? above / scores.observations : kNone;
  out.mean_entropy = any ? scores.mean_entropy : kNone;
  out.entropy_quintile = entropy_quintiles(scores, rows);
  out.label = scores.label;
  return out;
}

namespace {

// The bins of all folds, each as if its rows had been scored together.
void pool_calibration(const std::vector<Fold>& folds, FoldSide Fold::* side,
                      FoldScores::Label& out) {
  double all = 0, gap = 0;
  for (const Fold& fold : folds) {
    if (!(fold.*side).label) continue;
    const std::vector<CalibrationBin>& bins = (fold.*side).label->calibration;
    if (out.calibration.empty())
      for (const CalibrationBin& bin : bins) out.calibration.push_back({bin.low, bin.high});
    for (std::size_t b = 0; b < std::min(bins.size(), out.calibration.size()); ++b) {
      CalibrationBin& to = out.calibration[b];
      const auto rows = static_cast<double>(bins[b].rows);
      to.confidence += rows * bins[b].confidence;
      to.accuracy += rows * bins[b].accuracy;
      to.rows += bins[b].rows;
    }
  }
  for (CalibrationBin& bin : out.calibration) {
    if (bin.rows == 0) continue;
    const auto rows = static_cast<double>(bin.rows);
    all += rows;
    gap += std::abs(bin.accuracy - bin.confidence);
    bin.confidence /= rows;
    bin.accuracy /= rows;
  }
  out.calibration_error = all > 0 ? gap / all : kNone;
}

// Nothing if no fold has the scores: a side without a labelled row has none.
std::optional<FoldScores::Label> label_over(const std::vector<Fold>& folds, FoldSide Fold::* side) {
  const auto first =
      std::ranges::find_if(folds, [&](const Fold& fold) { return (fold.*side).label.has_value(); });
  if (first == folds.end()) return std::nullopt;
  const auto score = [&](double LabelScores::* member) {
    return over(folds, side, [member](const FoldSide& s) {
      return s.label && s.label->rows > 0 ? (*s.label).*member : kNone;
    });
  };
  FoldScores::Label out{((*first).*side).label->column, ((*first).*side).label->method,
                        score(&LabelScores::accuracy),  score(&LabelScores::log_loss),
                        score(&LabelScores::brier),     score(&LabelScores::macro_f1)};
  pool_calibration(folds, side, out);
  return out;
}

}  // namespace

FoldScores over_folds(const std::vector<Fold>& folds, FoldSide Fold::* side) {
  const auto of = [&](auto member) {
    return over(folds, side, [member](const FoldSide& s) { return s.*member; });
  };
  FoldScores out;
  out.unseen = of(&FoldSide::unseen);
  out.perplexity = of(&FoldSide::perplexity);
  out.log_row_perplexity = of(&FoldSide::log_row_perplexity);
  out.log_likelihood = of(&FoldSide::log_likelihood);
  out.above_baseline = of(&FoldSide::above_baseline);
  out.mean_entropy = of(&FoldSide::mean_entropy);
  for (std::size_t q = 0; q < out.entropy_quintile.size(); ++q)
    out.entropy_quintile[q] =
        over(folds, side, [q](const FoldSide& s) { return s.entropy_quintile[q]; });
  const std::size_t columns = folds.empty() ? 0 : (folds.front().*side).truth.size();
  for (std::size_t t = 0; t < columns; ++t) {
    const auto truth = [&](double TruthScores::* member) {
      return over(folds, side, [t, member](const FoldSide& s) {
        const bool known = s.truth[t].rows > 0;
        return known ? s.truth[t].*member : kNone;
      });
    };
    out.truth.push_back({(folds.front().*side).truth[t].column,
                         truth(&TruthScores::micro_precision),
                         truth(&TruthScores::mutual_information), truth(&TruthScores::nmi),
                         truth(&TruthScores::accuracy)});
  }
  out.label = label_over(folds, side);
  return out;
}

}  // namespace medley::evaluation

namespace medley {

namespace evaluation {
namespace {

void check(const Dataset& data, const CrossValidateOptions& options) {
  core::Problems problems;
  const std::size_t folds = options.folds;
  if (folds < 2) problems.add("`folds`", "at least 2 folds are needed", "for example `folds=10`");
  if (folds > data.rows)
    problems.add(
        "`folds`",
        "there are " + std::to_string(folds) + " folds and " + std::to_string(data.rows) + " rows",
        "choose fewer folds");
  if (data.schema.sources.empty())
    problems.add("data", "has no schema, so no fold can have its own", "use what read() returns");
  if (options.two_step && data.label() == nullptr)
    problems.add("`two_step`", "tells a label from the memberships, and the data has none",
                 "name it with `label=\"COLUMN\"`");
  problems.throw_if_any();
  for (const std::string& column : options.scoring.truth) (void)truth_column(data, column);
}

// Progress over all folds, each counting as so many restarts more: that of the first fold that is
// still being fitted, so that folds side by side do not talk at once.
class FoldsProgress {
 public:
  FoldsProgress(const Hooks& hooks, std::size_t folds) : hooks_(hooks), ended_(folds, false) {}

  [[nodiscard]] Hooks of(std::size_t fold) {
    Hooks out;
    out.stop = hooks_.stop;
    if (hooks_.progress)
      out.progress = [this, fold](const Progress& progress) { show(fold, progress); };
    return out;
  }

  void end(std::size_t fold) {
    const std::scoped_lock lock(lock_);
    ended_[fold] = true;
  }

 private:
  void show(std::size_t fold, Progress progress) {
    const std::scoped_lock lock(lock_);
    if (std::ranges::find(ended_, false) - ended_.begin() != static_cast<std::ptrdiff_t>(fold))
      return;
    progress.restart += fold * progress.restarts;
    progress.restarts *= ended_.size();
    progress.seconds_left = -1;
    hooks_.progress(progress);
  }

  const Hooks& hooks_;
  std::mutex lock_;
  std::vector<bool> ended_;
};

// As many folds at a time as half of the memory holds, at most one per thread.
std::size_t folds_at_a_time(const Dataset& data, const FitOptions& fitting, std::size_t folds) {
  const std::size_t bytes = std::max<std::size_t>(1, fold_bytes(data, fitting.components));
  const std::size_t room = core::available_memory() / 2 / bytes;
  return std::clamp<std::size_t>(room, 1, std::min(folds, core::thread_count(fitting.threads)));
}

std::vector<std::size_t> deal(const Dataset& data, const CrossValidateOptions& options,
                              std::uint64_t seed) {
  const KeptColumn* label = options.stratified ? data.label() : nullptr;
  return label != nullptr ? fold_of_rows(*label, options.folds, seed)
                          : fold_of_rows(data.rows, options.folds, seed);
}

// Probabilities by the classes of all rows, of which the model may lack some.
std::vector<double> by_class(std::span<const double> probability,
                             const std::vector<std::string>& classes,
                             const std::vector<std::string>& all) {
  std::vector<double> out(all.size(), 0.0);
  for (std::size_t h = 0; h < classes.size(); ++h) {
    const auto place = std::ranges::find(all, classes[h]);
    if (place != all.end()) out[static_cast<std::size_t>(place - all.begin())] = probability[h];
  }
  return out;
}

class Validation {
 public:
  Validation(const Dataset& data, const FitOptions& fitting, const CrossValidateOptions& options,
             const Hooks& hooks)
      : data_(data),
        fitting_(fitting),
        options_(options),
        fold_of_(deal(data, options, fitting.seed)),
        side_by_side_(folds_at_a_time(data, fitting, options.folds)),
        progress_(hooks, options.folds),
        folds_(options.folds),
        row_(options.each_row ? data.rows : 0) {
    const std::size_t threads = core::thread_count(fitting.threads);
    fitting_.threads = std::max<std::size_t>(1, threads / side_by_side_);
    fitting_.checkpoint.clear();
    fitting_.resume = false;
    if (options.two_step) fitting_.label.head = LabelHead::none;
    scoring_ = options.scoring;
    scoring_.threads = fitting_.threads;
    scoring_.each_block = false;
    scoring_.truth.clear();  // compared here, by the classes of all rows
  }

  CrossValidation run() {
    try {
      core::parallel_for(folds_.size(), side_by_side_, [&](std::size_t fold, std::size_t) {
        folds_[fold] = run_fold(fold);
        progress_.end(fold);
      });
    } catch (const Interrupted&) {  // the folds that are there are whole
    }
    const core::Unstoppable short_work;
    CrossValidation out;
    out.rows = data_.rows;
    out.weights = data_.weighting();
    for (std::optional<Fold>& fold : folds_) {
      if (!fold) {
        out.interrupted = true;
        continue;
      }
      if (!fold->converged) ++out.not_converged;
      out.folds.push_back(std::move(*fold));
    }
    out.train = over_folds(out.folds, &Fold::train);
    out.test = over_folds(out.folds, &Fold::test);
    out.stratified = options_.stratified && data_.label() != nullptr;
    out.row = std::move(row_);
    return out;
  }

 private:
  // Nothing if it was interrupted.
  std::optional<Fold> run_fold(std::size_t fold) {
    const FoldData rows = fold_data(data_, fold_of_, fold, options_.words);
    const Hooks hooks = progress_.of(fold);
    const Model model = options_.fitter ? options_.fitter(rows.train, fitting_, hooks)
                                        : fit(rows.train, fitting_, hooks);
    if (model.summary().termination == Termination::interrupted) return std::nullopt;
    const std::vector<std::size_t> shown = training_rows_to_score(model, rows, fold);
    const bool some = shown.size() < rows.train.rows;
    const Dataset part = some ? data::select_rows(rows.train, shown) : Dataset();
    Evaluation train = evaluate(model, some ? part : rows.train, scoring_);
    const Evaluation test = evaluate(model, rows.test, scoring_);
    Fold out{fold_side(train, some ? part : rows.train), fold_side(test, rows.test),
             model.summary().termination == Termination::converged};
    if (some && (!options_.scoring.truth.empty() || out.train.label)) {
      EvaluateOptions quick = scoring_;  // classes are those of all rows
      quick.estimator = to_string(Estimator::bound);
      train = evaluate(model, rows.train, quick);
      out.train.label = train.label;
    }
    if (options_.each_row) keep_rows(fold, rows.test_rows, test);
    std::optional<ClassProbabilities> classes;
    if (options_.two_step)
      classes = score_two_steps(model, rows, out);
    else if (options_.each_row && predicts_classes(model))
      classes = predict_classes(model, rows.test, fitting_.threads);
    if (options_.each_row && classes) keep_classes(rows.test_rows, *classes);
    for (const std::string& name : options_.scoring.truth) {
      const KeptColumn& column = truth_column(data_, name);
      compare(name, grouping(train, model.components(), column, rows.train_rows),
              grouping(test, model.components(), column, rows.test_rows), out);
    }
    return out;
  }

  // Places among the training rows. Where scores are drawn they take most of the time of folds:
  // then those that the next fold tests, so that over the folds every row is scored once on either
  // side.
  [[nodiscard]] std::vector<std::size_t> training_rows_to_score(const Model& model,
                                                                const FoldData& rows,
                                                                std::size_t fold) const {
    const Estimator estimator = choose_estimator(scoring_, model::ModelOnData(model, rows.train),
                                                 rows.train, data::is_tempered(rows.train.schema))
                                    .estimator;
    const bool drawn = estimator == Estimator::left_to_right || estimator == Estimator::importance;
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < rows.train.rows; ++i) {
      if (!drawn || fold_of_[rows.train_rows[i]] == (fold + 1) % folds_.size()) out.push_back(i);
    }
    return out;
  }

  // Folds have rows of their own, so they can write side by side.
  void keep_rows(std::size_t fold, const std::vector<std::size_t>& rows, const Evaluation& test) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      row_[rows[i]].fold = fold;
      row_[rows[i]].score = test.row[i];
    }
  }

  void keep_classes(const std::vector<std::size_t>& rows, const ClassProbabilities& classes) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      row_[rows[i]].probability =
          by_class(classes.row(i), classes.classes, data_.schema.label()->levels);
  }

  // Gives back what is said of the test rows.
  ClassProbabilities score_two_steps(const Model& model, const FoldData& rows, Fold& out) const {
    TwoStep predicted = two_step(model, rows.train, rows.test, fitting_.threads);
    out.train.label = score_classes(predicted.train, *rows.train.label(), rows.train.row_weight);
    out.test.label = score_classes(predicted.test, *rows.test.label(), rows.test.row_weight);
    return std::move(predicted.test);
  }

  void compare(const std::string& name, const Grouping& train, const Grouping& test,
               Fold& out) const {
    const Match match = options_.scoring.match;
    const MatchOn on = options_.match_on;
    const auto learnt = [&](const Grouping& own) {
      const bool both = on == MatchOn::scored;
      return match_classes(both ? own : on == MatchOn::train ? train : test, match);
    };
    out.train.truth.push_back(truth_scores(name, train, learnt(train)));
    out.test.truth.push_back(truth_scores(name, test, learnt(test)));
    for (TruthScores* scores : {&out.train.truth.back(), &out.test.truth.back()}) {
      scores->match = match;
      scores->matched_on = on;
    }
  }

  const Dataset& data_;
  FitOptions fitting_;
  const CrossValidateOptions& options_;
  EvaluateOptions scoring_;
  std::vector<std::size_t> fold_of_;
  std::size_t side_by_side_;
  FoldsProgress progress_;
  std::vector<std::optional<Fold>> folds_;
  std::vector<HeldOutRow> row_;
};

}  // namespace
}  // namespace evaluation

std::vector<std::size_t> fold_of_rows(std::size_t rows, std::size_t folds, std::uint64_t seed) {
  std::vector<std::size_t> order(rows), fold(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  core::Rng rng(seed, evaluation::purpose(evaluation::Purpose::folds));
  for (std::size_t i = rows; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  for (std::size_t i = 0; i < rows; ++i) fold[order[i]] = i % folds;
  return fold;
}

std::vector<std::size_t> fold_of_rows(const KeptColumn& label, std::size_t folds,
                                      std::uint64_t seed) {
  std::vector<std::size_t> order(label.code.size()), fold(label.code.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  core::Rng rng(seed, evaluation::purpose(evaluation::Purpose::folds));
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  std::vector<std::size_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::ranges::sort(order, {},
                    [&](std::size_t row) { return std::pair(label.code[row], place[row]); });
  for (std::size_t i = 0; i < order.size(); ++i) fold[order[i]] = i % folds;
  return fold;
}

CrossValidation cross_validate(const Dataset& data, const FitOptions& fitting,
                               const CrossValidateOptions& options, const Hooks& hooks) {
  const core::Task task(hooks.stop);
  try {
    check(data);
    evaluation::check(data, options);
    return evaluation::Validation(data, fitting, options, hooks).run();
  } catch (const Interrupted&) {  // before the first fold
    CrossValidation out;
    out.interrupted = true;
    return out;
  }
}

}  // namespace medley
