// SPDX-License-Identifier: Apache-2.0
// The course of a selection: fits first (selection_fits.hpp), then the scores of each, then what
// follows from them.
#include "medley/select.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include "choose/fit_scores.hpp"
#include "choose/selection_fits.hpp"
#include "choose/selection_folder.hpp"
#include "choose/selection_options.hpp"
#include "choose/verdicts.hpp"
#include "core/task.hpp"
#include "medley/error.hpp"
#include "medley/model.hpp"
#include "memberships/membership.hpp"
#include "model/model.hpp"

namespace medley {
namespace choose {
namespace {

// Two fits whose bounds differ by less, relatively, have found the same optimum.
constexpr double kSameOptimum = 1e-4;

class Scoring {
 public:
  Scoring(const Dataset& data, const SelectOptions& options, const SelectionPlan& plan,
          const SelectionFolder& folder)
      : data_(data), options_(options), plan_(plan), folder_(folder) {
    for (std::size_t row = 0; row < data.rows; ++row)
      weight_.push_back(data.observed(row) > 0 ? data.weight_of(row) : 0.0);
  }

  Selection run() {
    out_.rows = std::accumulate(weight_.begin(), weight_.end(), 0.0);
    for (const Place& place : plan_.grid) add_candidate(place);
    if (plan_.wants("cv")) score_folds();
    for (const char* criterion : {"aic", "bic"}) {
      if (!plan_.wants(criterion)) continue;
      if (!likelihood_.empty())
        add_information(criterion, "likelihood", likelihood_, weight_, out_);
      if (!bound_.empty()) add_information(criterion, "bound", bound_, weight_, out_);
    }
    if (plan_.wants("dic")) score_chains();
    for (std::size_t c = 0; c < later_.size(); ++c)
      std::ranges::move(later_[c], std::back_inserter(out_.candidates[c].scores));
    if (plan_.wants("dp")) out_.clusters = folder_.clusters();
    judge(out_);
    out_.warnings = selection_warnings(out_);
    if (options_.fitting.alpha.starts_with("fixed"))
      out_.warnings.push_back("alpha is given (" + options_.fitting.alpha +
                              "), not fitted: a value far from what the data support biases K");
    out_.advice = advise(out_);
    return std::move(out_);
  }

 private:
  void add_candidate(const Place& place) {
    const std::string file = place.key + ".medley";
    const Model model = Model::load(folder_.file(file));
    SelectionCandidate& c = out_.candidates.emplace_back();
    c.components = place.components;
    c.smoothing = place.smoothing;
    c.file = file;
    c.inference = model.inference();
    c.parameters = static_cast<double>(count_parameters(model.parts()));
    c.smallest = *std::ranges::min_element(model.sizes());
    describe_fits(place, c);
    if (plan_.wants("aic") || plan_.wants("bic")) score_training_rows(model);
    std::vector<SelectionScore>& later = later_.emplace_back();
    if (plan_.wants("pearson")) {
      const PatternFit fit =
          add_pattern_scores(model, data_, options_.least_count, options_.fitting.threads, later);
      out_.patterns = {fit.pattern.size(), fit.least_count, fit.rows - fit.rest_observed};
    }
    if (plan_.wants("coherence") || plan_.wants("exclusivity"))
      add_topic_scores(model, data_, plan_.wants("coherence"), plan_.wants("exclusivity"), later);
  }

  void describe_fits(const Place& place, SelectionCandidate& c) const {
    const FitsDone& fits = *folder_.fits(place.key);
    const SplitDone& split = *folder_.split(place.key);
    c.restarts = fits.bound.size();
    c.split_won = split.won;
    c.converged = split.won ? split.converged : fits.converged;
    c.penalised_bound = split.won ? split.bound : fits.bound[fits.best];
    const double least = c.penalised_bound - kSameOptimum * std::abs(c.penalised_bound);
    c.again = static_cast<std::size_t>(
        std::ranges::count_if(fits.bound, [&](double bound) { return bound >= least; }));
    if (fits.bound.size() > 1)
      c.similarity = (std::accumulate(fits.similarity.begin(), fits.similarity.end(), 0.0) - 1) /
                     static_cast<double>(fits.similarity.size() - 1);
  }

  // The bound, and the likelihood if there is one.
  void score_training_rows(const Model& model) {
    const std::size_t threads = options_.fitting.threads;
    const bool single = model.parts().membership->entry().sole;
    if (!single) bound_.push_back(row_scores(model, data_, "bound", threads));
    if (plan_.estimator == "bound" || plan_.estimator == "completion") {
      if (single) likelihood_.push_back(row_scores(model, data_, "exact", threads));
      return;
    }
    RowScores found = row_scores(model, data_, plan_.estimator, threads);
    if (found.estimator != "completion") likelihood_.push_back(std::move(found));
  }

  void score_folds() {
    std::vector<RowScores> rows;
    for (const Place& place : plan_.grid) {
      HeldOutRows found = *folder_.held_out(place.key, data_.rows);
      rows.push_back({std::move(found.estimator), std::move(found.log_likelihood)});
    }
    out_.folds = options_.folds;
    add_cv(rows, weight_, out_);
  }

  void score_chains() {
    for (std::size_t p = 0; p < options_.components.size(); ++p) {
      const ChainsDone& chains = *folder_.chains(plan_.grid[p].key);
      SelectionScore& score = out_.candidates[p].scores.emplace_back();
      score.criterion = "dic";
      score.estimator = "conditional";
      score.value = chains.dic;
      score.error = chains.error;
      score.usable = chains.mixed;
    }
  }

  const Dataset& data_;
  const SelectOptions& options_;
  const SelectionPlan& plan_;
  const SelectionFolder& folder_;
  std::vector<double> weight_;
  std::vector<RowScores> bound_, likelihood_;
  std::vector<std::vector<SelectionScore>> later_;  // patterns and topics stand last in the table
  Selection out_;
};

}  // namespace
}  // namespace choose

Selection select(const Dataset& data, const SelectOptions& options, const Hooks& hooks) {
  using namespace choose;
  const core::Task task(hooks.stop);
  try {
    check(data);
    const SelectionPlan plan = plan_selection(data, options);
    SelectionFolder folder(options.folder, plan.fingerprint, options.resume);
    if (std::optional<Selection> before = folder.result(plan.by)) return std::move(*before);
    SelectionFits fits(data, options, plan, folder, hooks);
    const bool done =
        fits.run_restarts() && fits.run_splits() && (!plan.wants("cv") || fits.run_folds()) &&
        (!plan.wants("dic") || fits.run_chains()) && (!plan.wants("dp") || fits.run_clusters());
    if (!done) throw Interrupted();
    Selection out = Scoring(data, options, plan, folder).run();
    folder.put(out, plan.by);
    return out;
  } catch (const Interrupted&) {
    Selection stopped;
    stopped.interrupted = true;
    return stopped;
  }
}

}  // namespace medley
