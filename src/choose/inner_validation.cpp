// SPDX-License-Identifier: Apache-2.0
#include "choose/inner_validation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <utility>

#include "choose/paired.hpp"
#include "choose/purposes.hpp"
#include "core/parallel.hpp"
#include "core/problems.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "evaluate/fold_data.hpp"
#include "medley/error.hpp"
#include "medley/fit.hpp"
#include "medley/predict.hpp"

namespace medley::choose {

std::vector<std::size_t> inner_folds(const KeptColumn& label, std::size_t folds,
                                     std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> rows_of(label.levels.size());
  for (std::size_t row = 0; row < label.code.size(); ++row)
    if (label.code[row] >= 0) rows_of[static_cast<std::size_t>(label.code[row])].push_back(row);
  std::vector<std::size_t> fold_of(label.code.size(), kNeverHeldOut);
  std::size_t dealt = 0;  // on from class to class, so that the folds stay of one size
  for (std::size_t h = 0; h < rows_of.size(); ++h) {
    std::vector<std::size_t>& rows = rows_of[h];
    if (rows.size() < 2) continue;
    core::Rng rng(seed, purpose(Purpose::inner_folds), h);
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[rng.below(i)]);
    for (const std::size_t row : rows) fold_of[row] = dealt++ % folds;
  }
  return fold_of;
}

std::size_t folds_to_use(const std::vector<std::size_t>& fold_of, std::size_t folds,
                         std::size_t enough) {
  std::size_t held_out = 0;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    held_out += static_cast<std::size_t>(std::ranges::count(fold_of, fold));
    if (held_out >= enough) return fold + 1;
  }
  return folds;
}

}  // namespace medley::choose

namespace medley {

namespace choose {
namespace {

constexpr std::size_t kPerClass[] = {1, 2, 3, 5, 8};
constexpr std::size_t kRowsPerComponent = 5;
constexpr double kPulls[] = {0.1, 1, 10, 100};
constexpr std::size_t kEnoughRows = 1000;  // held out: an accuracy is then known to about 0.01
constexpr std::size_t kTenths = 10;        // of the paper's split, and steps of its eta_start
// What a class of probability 0 costs: of one that the training rows did not hold, for example.
constexpr double kLeastProbability = 1e-15;

std::size_t classes_with_rows(const KeptColumn& label, std::size_t least) {
  std::vector<std::size_t> rows(label.levels.size(), 0);
  for (const std::int32_t code : label.code)
    if (code >= 0) ++rows[static_cast<std::size_t>(code)];
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [&](std::size_t count) { return count >= least; }));
}

void check(const Dataset& data, const FitOptions& options, const Auto& what) {
  core::Problems problems;
  const std::string where = what.components  ? "`k=\"auto\"`"
                            : what.weight    ? "`label_weight=\"auto\"`"
                            : what.eta_start ? "`eta_start=\"auto\"`"
                                             : "`pull=\"auto\"`";
  const KeptColumn* label = data.label();
  const std::string remedy = what.components ? "give `k=N`, for example `k=3`" : "give a number";
  if (label == nullptr)
    problems.add(where,
                 "is chosen by how well the classes of held-out rows are told, and the data has no "
                 "label",
                 "name one with `label=\"COLUMN\"`, or " + remedy);
  else if (options.label.head == LabelHead::none)
    problems.add(where, "needs a label that is learnt, and `head=\"none\"` sets it aside",
                 "leave out `head`, or " + remedy);
  else if (classes_with_rows(*label, 1) < 2)
    problems.add(
        "column " + core::quoted(label->name),
        "is the label, but its rows are not of two classes: there is nothing to tell apart",
        "leave out `label`, or check the file and `na`");
  else if (classes_with_rows(*label, 2) == 0)
    problems.add("column " + core::quoted(label->name),
                 "is the label, but every row is of a class of its own, as in an id",
                 "name another column");
  if (what.folds < 2) problems.add(where, "needs at least 2 inner folds", "5 is usual");
  problems.throw_if_any();
}

// One option to choose: its candidates and how a fit is told.
struct Question {
  std::string option;
  std::vector<double> values;
  std::function<void(FitOptions&, double)> set;
};

std::vector<double> sizes(std::size_t classes, std::size_t rows) {
  std::vector<double> out;
  for (const std::size_t times : kPerClass) {
    const std::size_t size = times * classes;
    if (times == 1 || size * kRowsPerComponent <= rows) out.push_back(static_cast<double>(size));
  }
  return out;
}

std::vector<double> weights(const Dataset& data) {
  double observed = 0, rows = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double size = data.observed(row);
    if (!(size > 0)) continue;
    observed += size;
    ++rows;
  }
  const double m = rows > 0 ? observed / rows : 1;
  return m > 1 ? std::vector<double>{1, std::sqrt(m), m} : std::vector<double>{1};
}

// The rows held out, and a run of all candidates of a question over them.
class Split {
 public:
  Split(const Dataset& data, std::size_t folds, std::size_t most_folds, std::uint64_t seed) {
    const std::vector<std::size_t> fold_of = inner_folds(*data.label(), folds, seed);
    const std::size_t used = std::min(most_folds, folds_to_use(fold_of, folds, kEnoughRows));
    for (std::size_t fold = 0; fold < used; ++fold) {
      if (std::ranges::find(fold_of, fold) == fold_of.end()) continue;
      folds_.push_back(
          evaluation::fold_data(data, fold_of, fold, VocabularyOptions{}.unselected()));
      rows_ += folds_.back().test_rows.size();
    }
  }
  [[nodiscard]] std::size_t folds() const { return folds_.size(); }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] const evaluation::FoldData& fold(std::size_t f) const { return folds_[f]; }

 private:
  std::vector<evaluation::FoldData> folds_;
  std::size_t rows_ = 0;
};

// Appends what the model says of the rows held out.
void score_held_out(const Model& model, const Dataset& rows, HeldOut& out) {
  const ClassProbabilities predicted = predict_classes(model, rows, 1);
  const KeptColumn& label = *rows.label();
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::int32_t truth = label.code[i];  // of a class that was not there to learn: below 0
    const bool right = truth >= 0 && predicted.top(i) == static_cast<std::size_t>(truth);
    const double p = truth < 0 ? 0.0 : predicted.row(i)[static_cast<std::size_t>(truth)];
    out.right.push_back(right ? 1 : 0);
    out.loss.push_back(-std::log(std::max(p, kLeastProbability)));
  }
}

class Choice {
 public:
  Choice(const FitOptions& options, const Hooks& hooks)
      : threads_(core::thread_count(options.threads)), hooks_(hooks) {
    out_.fitting = options;
  }

  void answer(const Question& question, const Split& split, const FitOptions& base) {
    question.set(out_.fitting, question.values.front());
    if (out_.interrupted) return;
    const std::vector<HeldOut> held_out = run(question, split, base);
    if (out_.interrupted) return;
    const std::size_t best = best_of(held_out);
    for (std::size_t c = 0; c < held_out.size(); ++c) {
      const MeanError right = mean_error(held_out[c].right), loss = mean_error(held_out[c].loss);
      out_.tried.push_back({question.option, question.values[c], right.mean, right.error, loss.mean,
                            loss.error, c == best});
    }
    out_.rows = std::max(out_.rows, split.rows());
    question.set(out_.fitting, question.values[best]);
  }

  [[nodiscard]] const FitOptions& fitting() const { return out_.fitting; }
  [[nodiscard]] ChosenOptions take() { return std::move(out_); }

 private:
  std::vector<HeldOut> run(const Question& question, const Split& split, const FitOptions& base) {
    const std::size_t jobs = question.values.size() * split.folds();
    std::vector<HeldOut> parts(jobs);
    const auto run_job = [&](std::size_t job, std::size_t /*worker*/) {
      const std::size_t candidate = job / split.folds();
      const evaluation::FoldData& fold = split.fold(job % split.folds());
      FitOptions fitting = base;
      question.set(fitting, question.values[candidate]);
      fitting.threads = 1;
      fitting.checkpoint.clear();
      fitting.resume = false;
      Hooks hooks;
      hooks.stop = hooks_.stop;
      score_held_out(fit(fold.train, fitting, hooks), fold.test, parts[job]);
      ended(question, jobs);
    };
    try {
      core::parallel_for(jobs, threads_, run_job);
    } catch (const Interrupted&) {
    }
    out_.interrupted = core::asked_to_stop();
    std::vector<HeldOut> out(question.values.size());
    for (std::size_t job = 0; job < jobs; ++job) {
      HeldOut& all = out[job / split.folds()];
      all.right.insert(all.right.end(), parts[job].right.begin(), parts[job].right.end());
      all.loss.insert(all.loss.end(), parts[job].loss.begin(), parts[job].loss.end());
    }
    return out;
  }

  // Tells that one more of the fits of this question has ended.
  void ended(const Question& question, std::size_t jobs) {
    const std::scoped_lock lock(lock_);
    ++out_.fits;
    if (asked_ != question.option) done_ = 0;
    asked_ = question.option;
    if (!hooks_.progress) return;
    Progress progress;
    progress.stage = "choosing " + question.option;
    progress.restart = done_++;
    progress.restarts = jobs;
    hooks_.progress(progress);
  }

  std::size_t threads_;
  const Hooks& hooks_;
  ChosenOptions out_;
  std::mutex lock_;
  std::string asked_;
  std::size_t done_ = 0;
};

}  // namespace
}  // namespace choose

ChosenOptions choose_label_options(const Dataset& data, const FitOptions& options, const Auto& what,
                                   const Hooks& hooks) {
  using namespace choose;
  const core::Task task(hooks.stop);
  if (!what.any()) return {options, {}, 0, 0, false};
  {
    const core::Unstoppable short_work;
    medley::check(data);
    check(data, options, what);
  }
  const KeptColumn& label = *data.label();
  const auto set_size = [](FitOptions& o, double k) {
    o.components = nearest_integer_of<std::size_t>(k);
  };
  const auto set_weight = [](FitOptions& o, double w) { o.label.weight = w; };
  const auto set_eta = [](FitOptions& o, double r) { o.label.eta_start = r; };
  const auto set_pull = [](FitOptions& o, double p) { o.label.pull = p; };
  Choice choice(options, hooks);
  const auto split_of = [&](std::size_t folds, std::size_t used) {
    const core::Unstoppable short_work;
    return Split(data, folds, used, options.seed);
  };
  const Split split = split_of(what.folds, what.folds);
  const std::size_t learnt = data.rows - data.rows / what.folds;
  if (what.components)
    choice.answer({"k", sizes(label.levels.size(), learnt), set_size}, split, choice.fitting());
  // Where the conditional objective ends depends little on the weight that it begins with.
  if (what.weight && options.label.objective != LabelObjective::conditional)
    choice.answer({"label_weight", weights(data), set_weight}, split, choice.fitting());
  if (what.eta_start) {
    std::vector<double> values;
    for (std::size_t i = 0; i <= kTenths; ++i) values.push_back(static_cast<double>(kTenths * i));
    choice.answer({"eta_start", values, set_eta}, split_of(kTenths, 1), choice.fitting());
  }
  if (what.pull)
    choice.answer({"pull", {std::begin(kPulls), std::end(kPulls)}, set_pull}, split,
                  choice.fitting());
  return choice.take();
}

Model fit_choosing(const Dataset& data, const FitOptions& options, const Auto& what,
                   const Hooks& hooks) {
  return fit(data, choose_label_options(data, options, what, hooks).fitting, hooks);
}

}  // namespace medley
