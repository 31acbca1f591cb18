// SPDX-License-Identifier: Apache-2.0
// Categorical: one answer out of R levels; one simplex per feature.
//
//   log p(x = r | component k) = log p_rk
//
// Use it for answers without order and for short rating scales. For two levels bernoulli says the
// same with one parameter; for words with counts use tokens.
#include "families/conjugate.hpp"
#include "families/registry.hpp"
#include "families/simplexes.hpp"

namespace medley::families {
namespace {

// More levels than this are not inferred, likely names or free text, unless each is met often;
// --column overrides it.
constexpr std::size_t kMostInferredLevels = 100;
constexpr std::size_t kMostFrequentLevels = 1000;
constexpr std::size_t kOften = 10;  // cells per level

// Whole numbers are codes or a scale rather than quantities if there are few of them; up to 20
// where they are small, each is met often, and no tail to the right makes them counts.
bool looks_like_codes(const data::ColumnFacts& facts) {
  if (!facts.integer) return false;
  if (facts.distinct <= 10) return true;
  return facts.distinct <= 20 && facts.minimum >= 0 && facts.maximum <= 20 &&
         facts.skewness <= 0.5 && facts.rows - facts.missing >= kOften * facts.distinct;
}

double suits_categorical(const data::ColumnFacts& facts, std::string& why) {
  if (facts.kind == SourceKind::tokens || facts.distinct < 2) return 0;
  const std::size_t observed = facts.rows - facts.missing;
  const bool repeats = 2 * facts.distinct <= observed || facts.distinct <= 5;
  if (facts.numeric && !looks_like_codes(facts)) return 0;
  const std::size_t most =
      observed >= kOften * facts.distinct ? kMostFrequentLevels : kMostInferredLevels;
  if (facts.distinct > most || !repeats) return 0;
  why = std::to_string(facts.distinct) + " levels";
  return 0.5;
}

std::string categorical_objection(const data::ColumnFacts& facts) {
  return facts.kind == SourceKind::tokens ? "is a source of word counts; categorical takes a column"
                                          : "";
}

}  // namespace

const FamilyEntry categorical_family = {
    .name = "categorical",
    .summary = "one of several levels",
    .encoding = Encoding::levels,
    .support = Support::levels,
    .suits = suits_categorical,
    .objection = categorical_objection,
    .refusal = nullptr,
    .make = [](const Block& shape,
               std::size_t k) { return make_simplexes(categorical_family, shape, k); },
    .fields = probability_lists,
    .invalid_reason = invalid_simplex_reason,
    .dirichlet_tables = true,
    .posterior = true,
    .conjugate = levels_conjugate};

}  // namespace medley::families
