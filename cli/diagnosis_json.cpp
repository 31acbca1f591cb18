// SPDX-License-Identifier: Apache-2.0
#include "diagnosis_json.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "flags.hpp"
#include "written_json.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

Json chain_quantities(const std::vector<ChainQuantity>& from) {
  Json out = Json::array();
  for (const ChainQuantity& q : from)
    out.push_back({{"name", q.name},
                   {"mean", json_number(q.mean)},
                   {"sd", json_number(q.sd)},
                   {"q5", json_number(q.low)},
                   {"q95", json_number(q.high)},
                   {"rhat", json_number(q.rhat)},
                   {"ess_bulk", json_number(q.ess_bulk)},
                   {"ess_tail", json_number(q.ess_tail)},
                   {"mcse", json_number(q.mcse)}});
  return out;
}

Json texts(const std::vector<Finding>& findings) {
  Json out = Json::array();
  for (const Finding& finding : findings) out.push_back(as_flags(finding.text));
  return out;
}

Json criterion_json(const InformationCriterion& c) {
  return {{"dic", json_number(c.dic())},
          {"mean_deviance", json_number(c.mean_deviance)},
          {"effective_parameters", json_number(c.effective())},
          {"error", json_number(c.error)}};
}

}  // namespace

std::string diagnosis_json(const Diagnosis& d) {
  Json out = {
      {"sound", d.sound}, {"findings", texts(d.finding)}, {"suggestions", texts(d.suggestion)}};
  if (d.chains > 0) {
    out["chains"] = d.chains;
    out["burn_in"] = d.burn_in;
    out["sweeps"] = d.sweeps;
    out["draws"] = d.draws;
    out["mixed"] = d.mixed;
    if (!d.mixed) out["sweeps_needed"] = d.sweeps_needed;
    out["quantities"] = chain_quantities(d.quantity);
    out["parameters"] = chain_quantities(d.parameter);
  }
  if (d.conditional) out["conditional_dic"] = criterion_json(*d.conditional);
  if (d.marginal) out["marginal_dic"] = criterion_json(*d.marginal);
  for (const auto& [k, share] : d.clusters) out["clusters"][std::to_string(k)] = share;
  return json_text(out);
}

}  // namespace medley::cli
