// SPDX-License-Identifier: Apache-2.0
// Tokens: a bag of words, references or tags; one simplex over the whole vocabulary.
//
//   log p(word v | component k) = log beta_kv          a cell is a word with its count as weight
//
// Use it for text, citations, baskets. The likelihood is of the token sequence: no multinomial
// coefficient. Zero counts are absent, not observed. For one answer out of a few use categorical.
#include <algorithm>
#include <cmath>

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
    .invalid_reason = invalid_simplex_reason,
    .dirichlet_tables = true,
    .posterior = true,
    .conjugate = tokens_conjugate};

// The Dirichlet prior of a bag of words: eta imagined tokens, eta / V of every word. With s_v
// tokens of word v and S of all in the cluster, a document that has x_v of each and R of all has
//
//   log predictive = sum_v [lnG(eta/V + s_v + x_v) - lnG(eta/V + s_v)]
//                    - lnG(eta + S + R) + lnG(eta + S)                          lnG = log Gamma
//   log marginal = the same with s = 0 and x = the cluster's counts
//
// Statistics: s of every word, then S. Table: log(eta/V + s_v), what one token of v adds.

namespace {

class Tokens final : public Conjugate {
 public:
  Tokens(const Block& block, std::vector<double> prior)
      : Conjugate(block.slots() + 1, block.slots()),
        word_(prior[0] / static_cast<double>(block.slots()), total_weight(block)),
        all_(prior[0], total_weight(block)) {
    prior_ = std::move(prior);
  }

  [[nodiscard]] double log_marginal(const double* statistics) const override {
    double sum = -all_.log_rise(0, statistics[words()]);
    for (std::size_t v = 0; v < words(); ++v) {
      if (statistics[v] > 0) sum += word_.log_rise(0, statistics[v]);
    }
    return sum;
  }

  void draw(const double* statistics, core::Rng& rng, std::span<double> out) const override {
    double largest = -1e300, sum = 0;
    for (std::size_t v = 0; v < words(); ++v)
      largest = std::max(largest, out[v] = rng.log_gamma(word_.start() + statistics[v]));
    for (std::size_t v = 0; v < words(); ++v) sum += (out[v] = std::exp(out[v] - largest));
    for (std::size_t v = 0; v < words(); ++v) out[v] = std::max(out[v] / sum, kLeastProbability);
  }

  void posterior_mean(const double* statistics, std::span<double> out) const override {
    for (std::size_t v = 0; v < words(); ++v)
      out[v] = (word_.start() + statistics[v]) / (all_.start() + statistics[words()]);
  }

  void tabulate(const double* statistics, double* column, std::size_t stride) const override {
    for (std::size_t v = 0; v < words(); ++v) column[v * stride] = word_.log_at(statistics[v]);
  }

  void retabulate(const Block& block, std::size_t row, const double* statistics, double* column,
                  std::size_t stride) const override {
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
      column[block.slot[c] * stride] = word_.log_at(statistics[block.slot[c]]);
  }

  void add_log_predictives(const Block& block, std::size_t row, const ClusterView& clusters,
                           double* total) const override {
    const std::uint64_t end = block.row_start[row + 1];
    double tokens = 0;
    for (std::uint64_t c = block.row_start[row], next = c; c < end; c = next) {
      const std::size_t word = block.slot[c];
      double weight = 0;
      for (; next < end && block.slot[next] == word; ++next)
        weight += static_cast<double>(block.weight_of(next));
      tokens += weight;
      const double* first = clusters.table + word * clusters.stride;
      for (std::size_t k = 0; k < clusters.count; ++k) total[k] += first[k];
      for (std::size_t k = 0; weight > 1 && k < clusters.count; ++k)
        total[k] += word_.log_rise(clusters.statistics[k * size() + word] + 1, weight - 1);
    }
    for (std::size_t k = 0; k < clusters.count; ++k)
      total[k] -= all_.log_rise(clusters.statistics[k * size() + words()], tokens);
  }

 protected:
  void change(const Block& block, std::size_t first, std::size_t last, double times,
              double* statistics) const override {
    for (std::size_t c = first; c < last; ++c) {
      const double weight = times * static_cast<double>(block.weight_of(c));
      statistics[block.slot[c]] += weight;
      statistics[words()] += weight;
    }
  }

 private:
  [[nodiscard]] std::size_t words() const { return table_size(); }

  math::RisingTable word_, all_;
};

}  // namespace

std::unique_ptr<Conjugate> tokens_conjugate(const Block& block, std::span<const double> prior) {
  const double one_each = static_cast<double>(block.slots());
  const std::span<const double> given = prior.empty() ? std::span(&one_each, 1) : prior;
  return std::make_unique<Tokens>(block, spread_prior(block, given, 1, 1));
}

}  // namespace medley::families
