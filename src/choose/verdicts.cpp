// SPDX-License-Identifier: Apache-2.0
#include "choose/verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "choose/paired.hpp"

namespace medley::choose {
namespace {

std::vector<std::vector<double>> values_of(const std::vector<RowScores>& rows) {
  std::vector<std::vector<double>> out;
  for (const RowScores& one : rows) out.push_back(one.value);
  return out;
}

const SelectionScore* find(const SelectionCandidate& candidate, const std::string& criterion,
                           const std::string& basis) {
  const auto found = std::ranges::find_if(candidate.scores, [&](const SelectionScore& s) {
    return s.criterion == criterion && s.basis == basis;
  });
  return found == candidate.scores.end() ? nullptr : &*found;
}

// How far a score is behind the best, and the error of that: row by row where rows are scored, else
// (patterns) that of the score.
MeanError behind(const SelectionScore& score, const SelectionScore& best) {
  if (score.behind) return {*score.behind, score.behind_error};
  return {std::abs(score.value - best.value), score.error};
}

// Of all smoothings the smallest K within one standard error; among those of that K the best.
std::size_t modest(const std::vector<SelectionCandidate>& candidates,
                   const SelectionVerdict& verdict) {
  std::size_t chosen = verdict.best;
  const SelectionScore& best = *find(candidates[chosen], verdict.criterion, verdict.basis);
  double least_behind = 0;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const SelectionScore* score = find(candidates[c], verdict.criterion, verdict.basis);
    if (score == nullptr) continue;
    const MeanError off = behind(*score, best);
    const std::size_t k = candidates[c].components, least = candidates[chosen].components;
    if (off.mean > off.error || k > least || (k == least && off.mean >= least_behind)) continue;
    chosen = c;
    least_behind = off.mean;
  }
  return chosen;
}

}  // namespace

bool more_is_better(const std::string& criterion) {
  return criterion == "cv" || criterion == "coherence" || criterion == "exclusivity";
}

bool has_modest(const std::string& criterion) {
  return criterion == "cv" || criterion.starts_with("pearson");
}

void add_cv(const std::vector<RowScores>& rows, const std::vector<double>& weights,
            Selection& selection) {
  const Behind behind = behind_the_best(values_of(rows), weights);
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const MeanError score = weighted_mean(rows[c].value, weights);
    selection.candidates[c].scores.push_back({"cv", "", rows[c].estimator, score.mean, score.error,
                                              behind.by[c].mean, behind.by[c].error});
  }
}

void add_information(const std::string& criterion, const std::string& basis,
                     const std::vector<RowScores>& rows, const std::vector<double>& weights,
                     Selection& selection) {
  const double n = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> value, error;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const MeanError mean = weighted_mean(rows[c].value, weights);
    const double each = criterion == "aic" ? 2 : std::log(n);
    value.push_back(-2 * n * mean.mean + each * selection.candidates[c].parameters);
    error.push_back(2 * n * mean.error);
  }
  const auto best = static_cast<std::size_t>(std::ranges::min_element(value) - value.begin());
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const MeanError off = weighted_difference(rows[c].value, rows[best].value, weights);
    selection.candidates[c].scores.push_back({criterion, basis, rows[c].estimator, value[c],
                                              error[c], value[c] - value[best], 2 * n * off.error});
  }
}

void judge(Selection& selection) {
  for (const SelectionCandidate& candidate : selection.candidates) {
    for (const SelectionScore& s : candidate.scores) {
      const bool known = std::ranges::any_of(selection.verdicts, [&](const SelectionVerdict& v) {
        return v.criterion == s.criterion && v.basis == s.basis;
      });
      if (!known) selection.verdicts.push_back({s.criterion, s.basis});
    }
  }
  for (SelectionVerdict& verdict : selection.verdicts) {
    const SelectionScore* best = nullptr;
    for (std::size_t c = 0; c < selection.candidates.size(); ++c) {
      const SelectionScore* score = find(selection.candidates[c], verdict.criterion, verdict.basis);
      if (score == nullptr) continue;
      if (score->estimator == "bound") verdict.bound = true;
      if (!score->usable) verdict.usable = false;
      const bool better =
          best == nullptr || (more_is_better(verdict.criterion) ? score->value > best->value
                                                                : score->value < best->value);
      if (better) {
        best = score;
        verdict.best = c;
      }
    }
    verdict.modest =
        has_modest(verdict.criterion) ? modest(selection.candidates, verdict) : verdict.best;
  }
}

}  // namespace medley::choose
