// SPDX-License-Identifier: Apache-2.0
#include "choose/selection_advice.hpp"

#include <algorithm>
#include <map>

namespace medley::choose {
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
