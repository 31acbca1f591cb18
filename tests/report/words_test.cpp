// SPDX-License-Identifier: Apache-2.0
#include "report/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/hand_made.hpp"

namespace medley::report {
namespace {

using testing::ElementsAre;

TEST(Words, AreRankedByProbability) {
  const auto corpus = hand_made::corpus();
  EXPECT_THAT(WordRanking(corpus).of(0, 0.5, 3).probable, ElementsAre(0, 1, 3));
}

TEST(Words, LiftPrefersWordsOfTheTopicAndLeavesOutRareOnes) {
  const auto corpus = hand_made::corpus();
  EXPECT_THAT(WordRanking(corpus).of(0, 0.5, 4).lifted,
              ElementsAre(1, 0));  // "rare": 4.5 occurrences
}

TEST(Words, FrexPutsTheFrequentAndExclusiveWordFirst) {
  // "the" is the most frequent, "once" the most exclusive; "cat" comes second by both
  const auto corpus =
      hand_made::block("text", "tokens", {{"text", {"the", "cat", "dog", "once", "rare"}}},
                       {{0.6, 0.6}, {0.39, 0.001}, {0.001, 0.389}, {0.009, 0.0}, {0.0, 0.01}},
                       {600, 200, 198, 5, 5});
  EXPECT_EQ(WordRanking(corpus).of(0, 0.5, 1).frex.front(), 1U);
  EXPECT_EQ(WordRanking(corpus).of(1, 0.5, 1).frex.front(), 2U);
}

TEST(Words, NoMoreWordsThanTheVocabularyHas) {
  const auto corpus = hand_made::corpus();
  EXPECT_EQ(WordRanking(corpus).of(0, 0.5, 100).frex.size(), 4U);
}

}  // namespace
}  // namespace medley::report
