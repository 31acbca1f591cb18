// SPDX-License-Identifier: Apache-2.0
// Bernoulli: yes or no; a simplex of two slots per feature, levels [zero, one].
//
//   log p(x | component k) = x log p_k + (1 - x) log(1 - p_k)
//
// Use it for two-level answers, whatever the levels are called. For three or more use categorical.
#include "families/conjugate.hpp"
#include "families/registry.hpp"
#include "families/simplexes.hpp"

namespace medley::families {
namespace {

double suits_bernoulli(const data::ColumnFacts& facts, std::string& why) {
  if (facts.kind == SourceKind::tokens || facts.distinct != 2) return 0;
  why = "2 levels";
  return 1;
}

std::string bernoulli_objection(const data::ColumnFacts& facts) {
  if (facts.kind == SourceKind::tokens)
    return "is a source of word counts; bernoulli takes a column";
  if (facts.distinct == 2) return "";
  const std::string levels = facts.distinct == 1 ? " level" : " levels";
  return "has " + std::to_string(facts.distinct) + levels + "; bernoulli takes 2 (use categorical)";
}

// The export shows the probability of the second level only.
std::vector<ExportField> fields(const Family& family, std::size_t feature) {
  ExportField field{"p", false, {}};
  const std::size_t one = feature_slots(family, feature).begin + 1;
  for (std::size_t k = 0; k < family.components(); ++k) {
    field.values.push_back({family.parameters()[one * family.padded() + k]});
  }
  return {field};
}

}  // namespace

const FamilyEntry bernoulli_family = {
    .name = "bernoulli",
    .summary = "yes or no",
    .encoding = Encoding::levels,
    .support = Support::two_levels,
    .suits = suits_bernoulli,
    .objection = bernoulli_objection,
    .refusal = nullptr,
    .make = [](const Block& shape,
               std::size_t k) { return make_simplexes(bernoulli_family, shape, k); },
    .fields = fields,
    .invalid_reason = invalid_simplex_reason,
    .dirichlet_tables = true,
    .posterior = true,
    .conjugate = levels_conjugate};

}  // namespace medley::families
