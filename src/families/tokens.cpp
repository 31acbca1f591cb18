// SPDX-License-Identifier: Apache-2.0
// Tokens: a bag of words, references or tags; one simplex over the whole vocabulary.
//
//   log p(word v | component k) = log beta_kv          a cell is a word with its count as weight
//
// Use it for text, citations, baskets. The likelihood is of the token sequence: no multinomial
// coefficient. Zero counts are absent, not observed. For one answer out of a few use categorical.
#include "families/conjugate.hpp"
#include "families/registry.hpp"
#include "families/simplexes.hpp"

namespace medley::families {
namespace {

double suits_tokens(const data::ColumnFacts& facts, std::string& why) {
  if (facts.kind != SourceKind::tokens) return 0;
  why = std::to_string(facts.distinct) + " different words";
  return 1;
}

std::string tokens_objection(const data::ColumnFacts& facts) {
  return facts.kind == SourceKind::tokens ? "" : "is not a source of word counts";
}

}  // namespace

const FamilyEntry tokens_family = {
    .name = "tokens",
    .summary = "words or references with counts",
    .encoding = Encoding::tokens,
    .support = Support::words,
    .suits = suits_tokens,
    .objection = tokens_objection,
    .refusal = nullptr,
    .make = [](const Block& shape,
               std::size_t k) { return make_simplexes(tokens_family, shape, k); },
    .fields = probability_lists,
    .flaw = simplex_flaw,
    .dirichlet_tables = true,
    .posterior = true,
    .conjugate = tokens_conjugate};

}  // namespace medley::families
