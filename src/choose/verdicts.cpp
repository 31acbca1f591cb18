// SPDX-License-Identifier: Apache-2.0
#include "choose/verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
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

namespace {

// Criteria whose best K is advice; those of topics tell how readable they are. Where aic or bic has
// the likelihood, the bound has no say.
bool has_a_say(const Selection& selection, const SelectionVerdict& v) {
  if (!v.usable || v.criterion == "coherence" || v.criterion == "exclusivity") return false;
  if (v.basis != "bound") return true;
  return std::ranges::none_of(selection.verdicts, [&](const SelectionVerdict& other) {
    return other.criterion == v.criterion && other.basis == "likelihood";
  });
}

// What a criterion looks for: "it rewards ...".
std::string rewards(const std::string& criterion) {
  static const std::map<std::string, std::string> kWords = {
      {"cv", "prediction of new rows"},
      {"aic", "prediction of new rows too, and leans to larger K"},
      {"bic", "the model that is true if one is, and leans to smaller K"},
      {"dic", "fit to these very rows, their memberships counted as parameters"},
      {"pearson-squares", "the frequent patterns alone"},
      {"pearson-absolute", "the frequent patterns alone"},
      {"dp", "rows that belong to one cluster each, and counts too many rather than too few"}};
  const auto found = kWords.find(criterion);
  return found == kWords.end() ? "something else" : found->second;
}

struct Votes {
  std::map<std::size_t, std::vector<std::string>> by_size;  ///< K -> criteria
  std::size_t lead = 0;                                     ///< K of the first criterion
};

Votes votes_of(const Selection& selection) {
  Votes out;
  const auto add = [&](std::size_t components, const std::string& criterion) {
    if (out.by_size.empty()) out.lead = components;
    out.by_size[components].push_back(criterion);
  };
  for (const SelectionVerdict& v : selection.verdicts) {
    if (has_a_say(selection, v)) add(selection.candidates[v.modest].components, v.criterion);
  }
  if (selection.clusters && selection.clusters->mixed) add(selection.clusters->mode, "dp");
  return out;
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return out;
}

std::string about_size(const Votes& votes) {
  if (votes.by_size.empty()) return "Nothing here can choose K.";
  const std::string lead = "K = " + std::to_string(votes.lead);
  if (votes.by_size.size() == 1) return lead + ": all criteria that can choose agree.";
  std::string out = lead + ", by " + listed(votes.by_size.at(votes.lead)) + ".";
  for (const auto& [k, criteria] : votes.by_size) {
    if (k == votes.lead) continue;
    for (const std::string& criterion : criteria)
      out += " " + criterion + " says " + std::to_string(k) + ": it rewards " + rewards(criterion) +
             ".";
  }
  return out;
}

std::string about_restarts(const Selection& selection) {
  std::vector<std::string> lost;
  for (const SelectionCandidate& c : selection.candidates) {
    const bool alone = c.again + (c.split_won ? 1 : 0) < 2;
    const std::string k = std::to_string(c.components);
    if (c.restarts > 1 && alone && std::ranges::find(lost, k) == lost.end()) lost.push_back(k);
  }
  if (lost.empty()) return "";
  std::string list;
  for (const std::string& k : lost) list += (list.empty() ? "" : ", ") + k;
  return " The best fit was not found again at K = " + list +
         ": use more `restarts` before trusting " + (lost.size() == 1 ? "it." : "one of them.");
}

std::string about_edges(const Selection& selection, const Votes& votes) {
  std::size_t most = 0;
  for (const SelectionCandidate& c : selection.candidates) most = std::max(most, c.components);
  if (votes.lead != most || votes.by_size.empty() || selection.candidates.size() < 2) return "";
  return " K = " + std::to_string(most) + " is the largest that was tried: try larger ones.";
}

bool any_poor_chains(const Selection& selection) {
  return std::ranges::any_of(selection.verdicts,
                             [](const SelectionVerdict& v) { return !v.usable; });
}

}  // namespace

std::string advise(const Selection& selection) {
  const Votes votes = votes_of(selection);
  return about_size(votes) + about_edges(selection, votes) + about_restarts(selection);
}

std::vector<std::string> selection_warnings(const Selection& selection) {
  std::vector<std::string> out;
  const bool cv_bound = std::ranges::any_of(
      selection.verdicts, [](const SelectionVerdict& v) { return v.criterion == "cv" && v.bound; });
  if (cv_bound)
    out.emplace_back(
        "cv is by the bound: its distance from the likelihood grows with K, which biases the "
        "choice");
  const bool any_bound = std::ranges::any_of(selection.verdicts, [&](const SelectionVerdict& v) {
    return v.basis == "bound" && has_a_say(selection, v);
  });
  if (any_bound)
    out.emplace_back(
        "aic and bic are by the bound alone: its distance from the likelihood grows with K, which "
        "biases the choice");
  if (any_poor_chains(selection))
    out.emplace_back("dic: some chains have not mixed, so it has no say; use more `sweeps`");
  if (selection.clusters && !selection.clusters->mixed)
    out.emplace_back("dp: the chains have not mixed, so it has no say; use more `sweeps`");
  for (const SelectionCandidate& c : selection.candidates) {
    if (!c.converged)
      out.push_back("K = " + std::to_string(c.components) +
                    ": the best fit had not converged; raise `max_iterations`");
  }
  return out;
}

}  // namespace medley::choose
