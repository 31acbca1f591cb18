// SPDX-License-Identifier: Apache-2.0
#include "evaluate/topic_quality.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/toy.hpp"

namespace medley::evaluation {
namespace {

// Documents over the words 0..4; word 4 occurs nowhere.
const Block kDocuments = test::token_block(
    "words", {{2, 1, 0, 0, 0}, {1, 3, 0, 0, 0}, {1, 0, 0, 1, 0}, {0, 0, 5, 1, 0}, {0, 0, 0, 0, 0}});

TEST(TopicQuality, EqualsWhatIsCountedByHand) {
  // Topic 1: words 0, 1, 3. Topic 2: words 2, 3, 4. Document counts 3, 2, 1, 2, 0 of 4.
  const std::vector<double> p = {0.5, 0.0, 0.3, 0.0, 0.0, 0.5, 0.2, 0.3, 0.0, 0.2};
  const BlockTopics got = topic_quality(p, 2, kDocuments, 3);
  // Topic 1: pairs (0,1) together 2, (0,3) together 1, (1,3) together 0.
  EXPECT_NEAR(got.topic[0].umass, (std::log(3.0 / 3) + std::log(2.0 / 3) + std::log(1.0 / 2)) / 3,
              1e-12);
  const double npmi01 = std::log(0.5 / (0.75 * 0.5)) / -std::log(0.5);
  const double npmi03 = std::log(0.25 / (0.75 * 0.5)) / -std::log(0.25);
  EXPECT_NEAR(got.topic[0].npmi, (npmi01 + npmi03 - 1) / 3, 1e-12);
  EXPECT_NEAR(got.topic[0].exclusivity, (1 + 1 + 0.2 / 0.5) / 3, 1e-12);
  // Topic 2: word 4 occurs nowhere, so one pair is left: (2,3), together in one document.
  EXPECT_NEAR(got.topic[1].umass, std::log(2.0 / 1), 1e-12);
  EXPECT_NEAR(got.topic[1].npmi, std::log(0.25 / (0.25 * 0.5)) / -std::log(0.25), 1e-12);
  EXPECT_NEAR(got.diversity, 5.0 / 6, 1e-12);
}

TEST(TopicQuality, WordsThatAlwaysMeetAreAsCoherentAsCanBe) {
  const Block always = test::token_block("words", {{1, 1}, {2, 1}});
  const BlockTopics got = topic_quality({0.5, 0.5}, 1, always, 2);
  EXPECT_EQ(got.topic[0].npmi, 1);
  EXPECT_EQ(got.diversity, 1);
}

TEST(TopicQuality, OneWordHasNoPairs) {
  const BlockTopics got = topic_quality({0.2, 0.2, 0.2, 0.2, 0.2}, 1, kDocuments, 1);
  EXPECT_EQ(got.topic[0].npmi, 0);
  EXPECT_EQ(got.topic[0].umass, 0);
  EXPECT_EQ(got.topic[0].exclusivity, 1);
}

}  // namespace
}  // namespace medley::evaluation
