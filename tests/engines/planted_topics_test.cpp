// SPDX-License-Identifier: Apache-2.0
// `--model lda` on corpora drawn from known topics: it finds them, and an alpha near the true one.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/rng.hpp"
#include "families/registry.hpp"
#include "medley/fit.hpp"
#include "model/model.hpp"
#include "support/quick.hpp"
#include "support/toy.hpp"

namespace medley {
namespace {

struct Corpus {
  std::vector<std::vector<double>> topics;  // K x V
  Dataset data;
};

std::vector<double> dirichlet(core::Rng& rng, std::size_t size, double shape) {
  std::vector<double> out(size);
  double total = 0;
  for (double& v : out) total += v = rng.gamma(shape);
  for (double& v : out) v /= total;
  return out;
}

std::size_t draw(core::Rng& rng, const std::vector<double>& p) {
  double u = rng.uniform();
  std::size_t i = 0;
  while (i + 1 < p.size() && u > p[i]) u -= p[i++];
  return i;
}

Corpus planted(std::size_t components, std::size_t words, std::size_t documents, std::size_t length,
               double alpha_sum) {
  core::Rng rng(17, 1);
  Corpus out;
  for (std::size_t k = 0; k < components; ++k) out.topics.push_back(dirichlet(rng, words, 0.1));
  std::vector<std::vector<int>> counts(documents, std::vector<int>(words, 0));
  for (auto& document : counts) {
    const auto theta = dirichlet(rng, components, alpha_sum / static_cast<double>(components));
    for (std::size_t i = 0; i < length; ++i) ++document[draw(rng, out.topics[draw(rng, theta)])];
  }
  out.data = test::dataset({test::token_block(families::tokens_family.name, counts)});
  return out;
}

// Mean total variation to the true topics, each taken with the nearest that is left.
double distance(const Corpus& corpus, const Model& model) {
  const auto& family = *model.parts().blocks[0].family;
  std::vector<bool> taken(corpus.topics.size(), false);
  double sum = 0;
  for (const auto& topic : corpus.topics) {
    double nearest = 2;
    std::size_t which = 0;
    for (std::size_t k = 0; k < corpus.topics.size(); ++k) {
      double half = 0;
      for (std::size_t w = 0; w < topic.size(); ++w)
        half += 0.5 * std::abs(topic[w] - family.parameters()[w * family.padded() + k]);
      if (taken[k] || half >= nearest) continue;
      nearest = half;
      which = k;
    }
    taken[which] = true;
    sum += nearest;
  }
  return sum / static_cast<double>(corpus.topics.size());
}

Model fitted(const Corpus& corpus, std::uint64_t seed) {
  FitOptions o;
  o.components = corpus.topics.size();
  o.model = "lda";
  o.threads = 1;
  o.seed = seed;
  return fit(corpus.data, o);
}

// The bars are those of `--model lda` from cold rows, whichever alpha they began with; from random
// tables and warm rows the distance was .35 to .52.
TEST(PlantedTopics, TopicsAndAlphaAreFound) {
  for (const auto& [alpha, far] : {std::pair{0.5, 0.08}, {1.0, 0.09}, {3.0, 0.13}}) {
    if (test::quick() && alpha != 1.0) continue;
    const Corpus corpus = planted(10, 400, 900, 80, alpha);
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      if (test::quick() && seed > 1) continue;
      const Model model = fitted(corpus, seed);
      const auto prior = model.prior();
      const double sum = std::accumulate(prior.begin(), prior.end(), 0.0);
      EXPECT_LT(distance(corpus, model), far) << "alpha " << alpha << " seed " << seed;
      EXPECT_GT(sum, 0.6 * alpha) << "seed " << seed;
      EXPECT_LT(sum, 1.4 * alpha) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace medley
