// SPDX-License-Identifier: Apache-2.0
#include "choose/selection_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "choose/verdicts.hpp"

namespace medley {
namespace choose {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json score_json(const SelectionScore& s) {
  Json out = {{"criterion", s.criterion}};
  if (!s.basis.empty()) out["basis"] = s.basis;
  out["estimator"] = s.estimator;
  out["value"] = number(s.value);
  out["error"] = number(s.error);
  if (s.behind) {
    out["behind"] = number(*s.behind);
    out["behind_error"] = number(s.behind_error);
  }
  if (!s.usable) out["mixed"] = false;
  return out;
}

Json candidate_json(const SelectionCandidate& c) {
  Json out = {{"k", c.components}};
  if (c.smoothing >= 0) out["smoothing"] = c.smoothing;
  out["model"] = c.file;
  out["inference"] = c.inference;
  out["parameters"] = c.parameters;
  out["penalised_bound"] = number(c.penalised_bound);
  out["restarts"] = c.restarts;
  out["found_again"] = c.again;
  out["similarity"] = number(c.similarity);
  out["split_won"] = c.split_won;
  out["converged"] = c.converged;
  out["smallest_profile"] = number(c.smallest);
  out["scores"] = Json::array();
  for (const SelectionScore& s : c.scores) out["scores"].push_back(score_json(s));
  return out;
}

Json verdict_json(const SelectionVerdict& v, const Selection& selection) {
  const auto place = [&](std::size_t index) {
    const SelectionCandidate& c = selection.candidates[index];
    Json out = {{"k", c.components}};
    if (c.smoothing >= 0) out["smoothing"] = c.smoothing;
    return out;
  };
  Json out = {{"criterion", v.criterion}};
  if (!v.basis.empty()) out["basis"] = v.basis;
  out["best"] = place(v.best);
  if (has_modest(v.criterion)) out["one_standard_error"] = place(v.modest);
  out["rests_on_bound"] = v.bound;
  if (!v.usable) out["mixed"] = false;
  return out;
}

}  // namespace

Json clusters_json(const SelectionClusters& clusters) {
  Json share = Json::object();
  for (const auto& [k, value] : clusters.share) share[std::to_string(k)] = value;
  return {{"share", std::move(share)},
          {"mode", clusters.mode},
          {"low", clusters.low},
          {"high", clusters.high},
          {"mixed", clusters.mixed}};
}

Json selection_json(const Selection& selection) {
  Json out = {{"rows", selection.rows}, {"folds", selection.folds}};
  out["candidates"] = out["verdicts"] = Json::array();
  for (const SelectionCandidate& c : selection.candidates)
    out["candidates"].push_back(candidate_json(c));
  for (const SelectionVerdict& v : selection.verdicts)
    out["verdicts"].push_back(verdict_json(v, selection));
  if (selection.patterns.count > 0)
    out["patterns"] = {{"count", selection.patterns.count},
                       {"least_count", selection.patterns.least_count},
                       {"observed", selection.patterns.observed}};
  if (selection.clusters) out["clusters"] = clusters_json(*selection.clusters);
  out["warnings"] = selection.warnings;
  out["advice"] = selection.advice;
  return out;
}

}  // namespace choose

std::string to_json(const Selection& selection) {
  return choose::selection_json(selection).dump(2, ' ', false,
                                                nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace medley
