// SPDX-License-Identifier: Apache-2.0
#include "model/family_catalogue.hpp"

#include "core/text.hpp"
#include "data/message_text.hpp"
#include "families/registry.hpp"

namespace medley::model {
namespace {

std::string why_none(const data::ColumnFacts& facts) {
  return "text with " + std::to_string(facts.distinct) + " different values in " +
         std::to_string(facts.rows - facts.missing) + " cells: names, codes or free text? " +
         core::setting("column", facts.name + "=categorical") + " takes them as levels";
}

data::FamilyChoice choose(const data::ColumnFacts& facts) {
  data::FamilyChoice best;
  double best_score = 0;
  for (const auto* entry : families::registry()) {
    std::string why;
    const double score = entry->suits(facts, why);
    if (score <= best_score) continue;
    best_score = score;
    best = {entry->name, entry->encoding, why};
  }
  if (best.family.empty()) best.note = why_none(facts);
  return best;
}

}  // namespace

const data::FamilyCatalogue& family_catalogue() {
  static const data::FamilyCatalogue catalogue = [] {
    data::FamilyCatalogue c;
    c.choose = choose;
    c.encoding_of = [](const std::string& family) -> std::optional<Encoding> {
      const auto* entry = families::find(family);
      return entry == nullptr ? std::nullopt : std::optional(entry->encoding);
    };
    c.objection = [](const std::string& family, const data::ColumnFacts& facts) {
      const auto* entry = families::find(family);
      return entry == nullptr ? std::string("is not a family") : entry->objection(facts);
    };
    c.refusal = [](const std::string& family, double value) {
      const auto* entry = families::find(family);
      return entry == nullptr || entry->refusal == nullptr ? std::string() : entry->refusal(value);
    };
    for (const auto* entry : families::registry()) c.names.emplace_back(entry->name);
    return c;
  }();
  return catalogue;
}

}  // namespace medley::model
