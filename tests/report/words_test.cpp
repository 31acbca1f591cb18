// SPDX-License-Identifier: Apache-2.0
#include "report/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

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

/// FREX as its definition has it, word against word.
std::vector<std::size_t> plain_frex(const std::vector<std::vector<double>>& p, std::size_t k,
                                    std::size_t top) {
  const std::size_t words = p.size();
  std::vector<double> exclusive(words), frex(words);
  for (std::size_t s = 0; s < words; ++s) exclusive[s] = p[s][k] / (p[s][0] + p[s][1]);
  for (std::size_t s = 0; s < words; ++s) {
    double frequency = 0, exclusivity = 0;
    for (std::size_t other = 0; other < words; ++other) {
      frequency += p[other][k] <= p[s][k] ? 1 : 0;
      exclusivity += exclusive[other] <= exclusive[s] ? 1 : 0;
    }
    const auto all = static_cast<double>(words);
    frex[s] = 1 / (0.5 / (frequency / all) + 0.5 / (exclusivity / all));
  }
  std::vector<std::size_t> order(words);
  for (std::size_t s = 0; s < words; ++s) order[s] = s;
  std::ranges::sort(order, {}, [&](std::size_t s) { return std::pair(-frex[s], s); });
  order.resize(top);
  return order;
}

TEST(Words, FrexOfManyWordsIsThatOfItsDefinition) {
  constexpr std::size_t kWords = 1500;
  // of words whose ranks go together, and of words that are frequent or exclusive but not both
  for (const bool together : {true, false}) {
    std::vector<std::string> names;
    std::vector<std::vector<double>> p;
    double first = 0, second = 0;
    for (std::size_t s = 0; s < kWords; ++s) {
      names.push_back("w" + std::to_string(s));
      const auto noise = static_cast<double>(s * 7919 % 1009) / 1009;
      const auto at = static_cast<double>(s / 3 + 1);  // three words are equally frequent
      p.push_back({at, together ? 1 + 200 * noise : at * at * (0.5 + noise)});
      first += p[s][0];
      second += p[s][1];
    }
    for (auto& of_word : p) of_word = {of_word[0] / first, of_word[1] / second};
    const auto corpus =
        hand_made::block("text", "tokens", {{"text", names}}, p, std::vector<double>(kWords, 10));
    for (const std::size_t k : {0U, 1U})
      EXPECT_EQ(WordRanking(corpus).of(k, 0.5, 12).frex, plain_frex(p, k, 12)) << together << k;
  }
}

TEST(Words, NoMoreWordsThanTheVocabularyHas) {
  const auto corpus = hand_made::corpus();
  EXPECT_EQ(WordRanking(corpus).of(0, 0.5, 100).frex.size(), 4U);
}

}  // namespace
}  // namespace medley::report
