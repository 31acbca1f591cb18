// SPDX-License-Identifier: Apache-2.0
#include "intervals_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "written_json.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

Json interval_json(const std::string& name, const IntervalEstimate& estimate) {
  return {{name, json_number(estimate.value)},
          {"se", json_number(estimate.standard_error)},
          {"low", json_number(estimate.low)},
          {"high", json_number(estimate.high)}};
}

Json group_json(const GroupMean& group) {
  Json profiles = Json::array();
  for (std::size_t k = 0; k < group.mean.size(); ++k) {
    Json profile = {{"profile", k + 1}};
    profile.update(interval_json("mean", group.mean[k]));
    profile["posterior_se"] = group.posterior_error[k];
    if (!group.difference.empty())
      profile["difference"] = interval_json("value", group.difference[k]);
    profiles.push_back(std::move(profile));
  }
  return {{"group", group.group},
          {"rows", group.rows},
          {"weight", group.weight},
          {"profiles", std::move(profiles)}};
}

}  // namespace

std::string groups_json(const GroupMeans& means) {
  Json groups = Json::array();
  for (const GroupMean& group : means.groups) groups.push_back(group_json(group));
  const Json out = {{"by", means.by},
                    {"title", means.title.empty() ? Json() : Json(means.title)},
                    {"level", means.level},
                    {"estimator", to_string(means.estimator)},
                    {"missing_rows", means.missing_rows},
                    {"empty_rows", means.empty_rows},
                    {"strata", means.strata},
                    {"units", means.units},
                    {"lonely_strata", means.lonely_strata},
                    {"reliability", means.reliability},
                    {"weights", weights_json(means.weights)},
                    {"groups", std::move(groups)},
                    {"all", group_json(means.all)}};
  return json_text(out);
}

std::string bootstrap_json(const Bootstrap& found, const Model& model) {
  Json estimates = Json::array();
  for (const BootstrapEstimate& e : found.estimates) {
    Json one = {{"profile", e.component + 1}, {"quantity", name_of(e.quantity, model)}};
    if (!e.block.empty()) one["block"] = e.block;
    if (!e.feature.empty()) one["feature"] = e.feature;
    if (!e.level.empty()) one["level"] = e.level;
    one.update(interval_json("estimate", e.estimate));
    estimates.push_back(std::move(one));
  }
  const Json out = {{"level", found.level},
                    {"replicates", found.replicates},
                    {"not_converged", found.not_converged},
                    {"ambiguous", found.ambiguous},
                    {"drift", found.drift},
                    {"strata", found.strata},
                    {"units", found.units},
                    {"lonely_strata", found.lonely_strata},
                    {"weights", weights_json(found.weights)},
                    {"estimates", std::move(estimates)}};
  return json_text(out);
}

}  // namespace medley::cli
