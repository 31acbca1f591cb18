// SPDX-License-Identifier: Apache-2.0
// Topics that went out and came back: scored as the model they came from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/model.hpp"
#include "model/model.hpp"
#include "support/files.hpp"

namespace medley {
namespace {

using ::testing::HasSubstr;

Dataset corpus() {
  return test::read_file("c.ldac", test::corpus_ldac(60));
}

Model fitted(const Dataset& data) {
  FitOptions options;
  options.components = 2;
  return fit(data, options);
}

// The tables of a model as another program would give them, each topic on a scale of its own.
Topics topics_of(const Model& model) {
  const model::ModelBlock& block = model.parts().blocks.front();
  Topics out;
  out.words = block.shape.features[0].levels;
  for (std::size_t k = 0; k < model.components(); ++k) {
    out.weight.emplace_back();
    for (std::size_t v = 0; v < out.words.size(); ++v)
      out.weight.back().push_back(100 * static_cast<double>(k + 1) * block.probability(v, k));
  }
  return out;
}

double bound(const Model& model, const Dataset& data) {
  EvaluateOptions options;
  options.estimator = "bound";
  return evaluate(model, data, options).log_likelihood;
}

TEST(ImportTopics, AreScoredAsWhereTheyCameFrom) {
  const Dataset data = corpus();
  const Model ours = fitted(data);
  ImportOptions options;
  options.alpha = ours.prior();
  const Model theirs = import_topics(topics_of(ours), options, &data);
  const Evaluation a = evaluate(ours, data, {}), b = evaluate(theirs, data, {});
  EXPECT_NEAR(b.log_likelihood, a.log_likelihood, 1e-6);
  EXPECT_NEAR(b.baseline, a.baseline, 1e-9);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(theirs.sizes()[k], ours.sizes()[k], 1e-6);
}

TEST(ImportTopics, AlphaIsFittedToTheCorpus) {
  const Dataset data = corpus();
  const Topics topics = topics_of(fitted(data));
  ImportOptions options;
  options.fit_alpha = true;
  const Model best = import_topics(topics, options, &data);
  const double at_best = bound(best, data);
  options.fit_alpha = false;
  for (const double factor : {0.7, 1.4}) {
    options.alpha = best.prior();
    for (double& a : options.alpha) a *= factor;
    EXPECT_LT(bound(import_topics(topics, options, &data), data), at_best) << factor;
  }
}

TEST(ImportTopics, WithoutACorpusTheBaselineIsTheAverageTopic) {
  const Topics topics{{"a", "b", "c"}, {{1, 0, 1}, {0, 4, 0}}};
  ImportOptions options;
  options.alpha = {1, 3};
  const Model model = import_topics(topics, options);
  const model::ModelBlock& block = model.parts().blocks.front();
  EXPECT_NEAR(block.marginal->parameters()[0], 0.125, 1e-9);
  EXPECT_NEAR(block.marginal->parameters()[block.marginal->padded()], 0.75, 1e-9);
  EXPECT_GT(block.probability(1, 0), 0);  // no word is impossible
}

Topics read_from(const std::string& text) {
  const testing::TemporaryFolder folder;
  testing::put_content(folder / "topics.csv", text);
  return read_topics(folder / "topics.csv");
}

std::string refusal(const std::string& text) {
  try {
    (void)import_topics(read_from(text), {});
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(ReadTopics, WordsMayStandAcrossOrDown) {
  const Topics expected{{"sea", "ship", "tax"}, {{2, 1, 0}, {0, 0.5, 3}}};
  for (const char* text :
       {"sea,ship,tax\n2,1,0\n0,.5,3\n", ",sea,ship,tax\n0,2,1,0\n1,0,5e-1,3\n",
        "Topic,sea,ship,tax\nA,2,1,0\nB,0,0.5,3\n", "word,t1,t2\nsea,2,0\nship,1,0.5\ntax,0,3\n"}) {
    const Topics topics = read_from(text);
    EXPECT_EQ(topics.words, expected.words) << text;
    EXPECT_EQ(topics.weight, expected.weight) << text;
  }
}

TEST(ReadTopics, SaysWhatIsWrong) {
  EXPECT_THAT(refusal("sea,ship\n1,-2\n"), HasSubstr("topic 1, word \"ship\""));
  EXPECT_THAT(refusal("sea,ship\n1,many\n"), HasSubstr("\"many\" is no weight"));
  EXPECT_THAT(refusal("sea,ship\n0,0\n"), HasSubstr("no weight at all"));
  EXPECT_THAT(refusal("sea,sea\n1,2\n"), HasSubstr("sea"));
  EXPECT_THAT(refusal("sea\n1\n"), HasSubstr("two words"));
  EXPECT_THAT(refusal("sea,ship\n"), HasSubstr("no rows"));
}

}  // namespace
}  // namespace medley
