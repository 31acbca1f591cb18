// SPDX-License-Identifier: Apache-2.0
#include "report/inspect_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/hand_made.hpp"

namespace medley::report {
namespace {

Model survey() {
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(hand_made::survey());
  return hand_made::model(std::move(blocks), {0.5, 0.5});
}

TEST(HeatText, ShadesAreProbabilitiesAndPlainWithoutColour) {
  const Model model = survey();
  const auto lines = heat_text(model.parts(), 100, false);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], "                1   2   all");
  EXPECT_EQ(lines[1], "  smokes = yes  ███ ··· ▒▒▒");  // 0.95, 0.05, 0.5
  EXPECT_EQ(lines[2], "  mood = good   ··· ▓▓▓ ▒▒▒");  // 0.1, 0.7, 0.4
  EXPECT_EQ(lines[3], "  same = yes    ▒▒▒ ▒▒▒ ▒▒▒");
}

TEST(HeatText, ColourSaysMoreOrLessThanThePopulation) {
  const Model model = survey();
  const auto lines = heat_text(model.parts(), 100, true);
  EXPECT_THAT(lines[1], testing::HasSubstr("\x1b[38;5;208m███\x1b[0m"));  // far more
  EXPECT_THAT(lines[1], testing::HasSubstr("\x1b[38;5;33m···\x1b[0m"));   // far less
  EXPECT_THAT(lines[3], testing::Not(testing::HasSubstr("\x1b")));        // like the population
}

TEST(HeatText, ThereIsNoneWhereItDoesNotFit) {
  const Model model = survey();
  EXPECT_TRUE(heat_text(model.parts(), 25, false).empty());
  std::vector<model::ModelBlock> words;
  words.push_back(hand_made::corpus());
  EXPECT_TRUE(
      heat_text(hand_made::model(std::move(words), {0.5, 0.5}).parts(), 100, false).empty());
}

}  // namespace
}  // namespace medley::report
