// SPDX-License-Identifier: Apache-2.0
// Coherence counted by hand. tests/cli/quality_test.py has the same of a whole corpus by a plain
// loop in another language.
#include "evaluate/topic_quality.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/hand_model.hpp"

namespace medley::evaluation {
namespace {

// Documents over the words 0..4; word 4 occurs nowhere, and the last document is empty.
const Block kDocuments = test::token_block(
    "words", {{2, 1, 0, 0, 0}, {1, 3, 0, 0, 0}, {1, 0, 0, 1, 0}, {0, 0, 5, 1, 0}, {0, 0, 0, 0, 0}});

// `p`: words x topics.
TopicTable scores(const Block& documents, const std::vector<std::vector<double>>& p,
                  std::size_t top, const std::vector<double>& row_weight = {}) {
  const auto parts =
      test::hand_parts("mixed", std::vector<double>(p[0].size(), 0.5), test::dataset({documents}));
  test::set_table(*parts->blocks[0].family, p);
  return topic_quality(parts->blocks[0], documents, row_weight, top);
}

TEST(TopicQuality, EqualsWhatIsCountedByHand) {
  // Topic 1: words 0, 1, 3. Topic 2: words 2, 3, 4. Document counts 3, 2, 1, 2, 0 of 4.
  const TopicTable got =
      scores(kDocuments, {{0.5, 0.0}, {0.3, 0.0}, {0.0, 0.5}, {0.2, 0.3}, {0.0, 0.2}}, 3);
  EXPECT_EQ(got.documents, 4);
  EXPECT_EQ(got.topic[0].words, (std::vector<std::string>{"w0", "w1", "w3"}));
  // Topic 1: pairs (0,1) together 2, (0,3) together 1, (1,3) together 0.
  const double umass = (std::log(3.0 / 3) + std::log(2.0 / 3) + std::log(1.0 / 2)) / 3;
  EXPECT_NEAR(got.topic[0].umass, umass, 1e-12);
  const double npmi01 = std::log(0.5 / (0.75 * 0.5)) / -std::log(0.5);
  const double npmi03 = std::log(0.25 / (0.75 * 0.5)) / -std::log(0.25);
  EXPECT_NEAR(got.topic[0].npmi, (npmi01 + npmi03 - 1) / 3, 1e-12);
  EXPECT_NEAR(got.topic[0].exclusivity, (1 + 1 + 0.2 / 0.5) / 3, 1e-12);
  EXPECT_EQ(got.topic[0].pairs, 3U);
  // Topic 2: word 4 occurs nowhere, so one pair is left: (2,3), together in one document.
  EXPECT_NEAR(got.topic[1].umass, std::log(2.0 / 1), 1e-12);
  EXPECT_NEAR(got.topic[1].npmi, std::log(0.25 / (0.25 * 0.5)) / -std::log(0.25), 1e-12);
  EXPECT_EQ(got.topic[1].absent, 1U);
  EXPECT_NEAR(got.diversity, 5.0 / 6, 1e-12);
  EXPECT_NEAR(got.umass, (umass + std::log(2.0)) / 2, 1e-12);
  EXPECT_EQ(got.scored, 2U);
}

TEST(TopicQuality, ARowWeightOfTwoIsTheDocumentTwice) {
  const std::vector<std::vector<double>> p = {{0.5}, {0.3}, {0.1}, {0.09}, {0.01}};
  const Block twice = test::token_block("words", {{2, 1, 0, 0, 0},
                                                  {2, 1, 0, 0, 0},
                                                  {1, 3, 0, 0, 0},
                                                  {1, 0, 0, 1, 0},
                                                  {0, 0, 5, 1, 0},
                                                  {0, 0, 5, 1, 0},
                                                  {0, 0, 0, 0, 0}});
  const TopicTable weighted = scores(kDocuments, p, 4, {2, 1, 1, 2, 1}),
                   plain = scores(twice, p, 4);
  EXPECT_EQ(weighted.documents, 6);
  EXPECT_NEAR(weighted.npmi, plain.npmi, 1e-12);
  EXPECT_NEAR(weighted.umass, plain.umass, 1e-12);
}

TEST(TopicQuality, WordsThatAlwaysMeetAreAsCoherentAsCanBe) {
  const Block always = test::token_block("words", {{1, 1}, {2, 1}});
  const TopicTable got = scores(always, {{0.5}, {0.5}}, 2);
  EXPECT_EQ(got.topic[0].npmi, 1);
  EXPECT_EQ(got.diversity, 1);
}

TEST(TopicQuality, WithoutPairsThereIsNothingToScore) {
  const std::vector<std::vector<double>> p(5, {0.2});
  const TopicTable one = scores(kDocuments, p, 1);
  EXPECT_EQ(one.scored, 0U);
  EXPECT_EQ(one.npmi, 0);
  EXPECT_EQ(one.umass, 0);
  EXPECT_EQ(one.topic[0].exclusivity, 1);
  const Block empty = test::token_block("words", {{0, 0, 0, 0, 0}});
  const TopicTable none = scores(empty, p, 100);
  EXPECT_EQ(none.documents, 0);
  EXPECT_EQ(none.topic[0].absent, 5U);
  EXPECT_EQ(none.npmi, 0);
}

}  // namespace
}  // namespace medley::evaluation
