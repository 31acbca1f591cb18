// SPDX-License-Identifier: Apache-2.0
#include "choose/selection_json.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

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

namespace {

// JSON has no NaN: it is null there.
double read_number(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

SelectionScore score_from(const Json& json) {
  SelectionScore out;
  out.criterion = json.at("criterion").get<std::string>();
  out.basis = json.value("basis", "");
  out.estimator = json.at("estimator").get<std::string>();
  out.value = read_number(json.at("value"));
  out.error = read_number(json.at("error"));
  if (json.contains("behind")) {
    out.behind = read_number(json.at("behind"));
    out.behind_error = read_number(json.at("behind_error"));
  }
  out.usable = json.value("mixed", true);
  return out;
}

SelectionCandidate candidate_from(const Json& json) {
  SelectionCandidate out;
  out.components = json.at("k").get<std::size_t>();
  out.smoothing = json.value("smoothing", out.smoothing);
  out.file = json.at("model").get<std::string>();
  out.inference = json.at("inference").get<std::string>();
  out.parameters = json.at("parameters").get<double>();
  out.penalised_bound = read_number(json.at("penalised_bound"));
  out.restarts = json.at("restarts").get<std::size_t>();
  out.again = json.at("found_again").get<std::size_t>();
  out.similarity = read_number(json.at("similarity"));
  out.split_won = json.at("split_won").get<bool>();
  out.converged = json.at("converged").get<bool>();
  out.smallest = read_number(json.at("smallest_profile"));
  for (const Json& score : json.at("scores")) out.scores.push_back(score_from(score));
  return out;
}

std::size_t place_from(const Json& json, const Selection& selection) {
  const auto k = json.at("k").get<std::size_t>();
  const double smoothing = json.value("smoothing", -1.0);
  for (std::size_t c = 0; c < selection.candidates.size(); ++c) {
    if (selection.candidates[c].components == k && selection.candidates[c].smoothing == smoothing)
      return c;
  }
  throw std::out_of_range("a verdict for a K that is not there");
}

SelectionVerdict verdict_from(const Json& json, const Selection& selection) {
  SelectionVerdict out;
  out.criterion = json.at("criterion").get<std::string>();
  out.basis = json.value("basis", "");
  out.best = out.modest = place_from(json.at("best"), selection);
  if (json.contains("one_standard_error"))
    out.modest = place_from(json.at("one_standard_error"), selection);
  out.bound = json.at("rests_on_bound").get<bool>();
  out.usable = json.value("mixed", true);
  return out;
}

}  // namespace

Selection selection_from_json(const Json& json) {
  Selection out;
  out.rows = json.at("rows").get<double>();
  out.folds = json.at("folds").get<std::size_t>();
  for (const Json& one : json.at("candidates")) out.candidates.push_back(candidate_from(one));
  for (const Json& one : json.at("verdicts")) out.verdicts.push_back(verdict_from(one, out));
  if (json.contains("patterns")) {
    const Json& patterns = json.at("patterns");
    out.patterns = {patterns.at("count").get<std::size_t>(),
                    patterns.at("least_count").get<double>(),
                    patterns.at("observed").get<double>()};
  }
  if (json.contains("clusters")) out.clusters.emplace();
  json.at("warnings").get_to(out.warnings);
  out.advice = json.at("advice").get<std::string>();
  return out;
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
