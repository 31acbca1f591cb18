// SPDX-License-Identifier: Apache-2.0
#include "comparison_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "written_json.hpp"

namespace medley::cli {
namespace {

using Json = nlohmann::ordered_json;

Json compared_feature_json(const ComparedFeature& f) {
  Json out = {{"feature", f.feature}, {"distance", f.distance}, {"a", f.a}, {"b", f.b}};
  if (f.level.empty()) {
    out["sd_a"] = f.sd_a;
    out["sd_b"] = f.sd_b;
  } else {
    out["level"] = f.level;
  }
  return out;
}

std::vector<std::size_t> from_one(std::vector<std::size_t> components) {
  for (std::size_t& component : components) ++component;
  return components;
}

Json agreement_json(const MembershipAgreement& agreement) {
  return {{"rows", agreement.rows},
          {"overlap", agreement.overlap},
          {"same_top", agreement.same_top},
          {"correlation", agreement.correlation}};
}

}  // namespace

std::string comparison_json(const Comparison& comparison, const Model& a, const Model& b,
                            const MembershipAgreement* agreement) {
  Json pairs = Json::array();
  for (const ComparedPair& pair : comparison.pairs) {
    Json largest = Json::array();
    for (const ComparedFeature& feature : pair.largest)
      largest.push_back(compared_feature_json(feature));
    pairs.push_back({{"a", pair.a + 1},
                     {"b", pair.b + 1},
                     {"size_a", a.sizes()[pair.a]},
                     {"size_b", b.sizes()[pair.b]},
                     {"distance", pair.distance},
                     {"largest", std::move(largest)}});
  }
  Json out = {{"distance", comparison.distance},
              {"features", comparison.features},
              {"pairs", std::move(pairs)},
              {"only_a", from_one(comparison.only_a)},
              {"only_b", from_one(comparison.only_b)},
              {"left_out", comparison.left_out}};
  if (agreement != nullptr) out["memberships"] = agreement_json(*agreement);
  return json_text(out);
}

}  // namespace medley::cli
