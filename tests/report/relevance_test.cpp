// SPDX-License-Identifier: Apache-2.0
#include "report/words.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "report/hand_made.hpp"

namespace medley::report {
namespace {

using Slots = std::vector<std::uint32_t>;

// Words of the hand-made corpus: the, cat, dog, rare; 600, 200, 198 and 2 occurrences.
TEST(Relevance, OneEndIsProbabilityTheOtherLift) {
  const auto lists = most_relevant(hand_made::corpus(), 0, 0.5, 4);
  ASSERT_EQ(lists.size(), kLambdaStops);
  EXPECT_EQ(lists.back(), (Slots{0, 1, 3, 2}));  // 0.6, 0.39, 0.009, 0.001
  // lift of "cat" 0.39 / 0.2, of "the" 0.6 / 0.6; "rare" (0.009 / 0.002, but 4.5 expected) and
  // "dog" (0.5 expected) are too few to come before them
  EXPECT_EQ(lists.front(), (Slots{1, 0, 3, 2}));
}

// Where lambda log 0.6 + (1 - lambda) log 1 meets lambda log 0.39 + (1 - lambda) log 1.95:
// lambda (log(0.6 / 0.39) + log 1.95) = log 1.95, lambda = 0.608.
TEST(Relevance, TheOrderTurnsWhereTheFormulaSays) {
  const auto lists = most_relevant(hand_made::corpus(), 0, 0.5, 2);
  EXPECT_EQ(lists[6].front(), 1U);
  EXPECT_EQ(lists[7].front(), 0U);
}

TEST(Relevance, ListsAreNoLongerThanAsked) {
  for (const auto& list : most_relevant(hand_made::corpus(), 1, 0.5, 1)) EXPECT_EQ(list.size(), 1U);
}

}  // namespace
}  // namespace medley::report
