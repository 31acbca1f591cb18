// SPDX-License-Identifier: Apache-2.0
#include "model/choose_inference.hpp"

#include <gtest/gtest.h>

#include "support/toy.hpp"

namespace medley::model {
namespace {

Dataset answers(std::size_t rows, std::size_t items, std::size_t levels) {
  std::vector<std::vector<int>> codes;
  for (std::size_t i = 0; i < rows; ++i) {
    core::Rng rng(3, 1, i);
    auto& row = codes.emplace_back();
    for (std::size_t j = 0; j < items; ++j) row.push_back(static_cast<int>(rng.below(levels)));
  }
  return test::dataset(
      {test::level_block("categorical", codes, std::vector<std::size_t>(items, levels))});
}

TEST(ChooseInference, ExactForAFewProfilesOfAShortSurvey) {
  EXPECT_EQ(choose_inference(answers(200, 10, 2), 3, 1).name, "exact");
}

TEST(ChooseInference, MonteCarloWhereTheLatticeIsTooLarge) {
  const InferenceChoice choice = choose_inference(answers(200, 40, 3), 8, 1);
  EXPECT_EQ(choice.name, "monte-carlo");
  EXPECT_NE(choice.why.find("40 observations"), std::string::npos);
}

TEST(ChooseInference, StandardForLongRowsAndForWhatWouldTakeTooLong) {
  EXPECT_EQ(choose_inference(answers(30, 60, 2), 2, 1).name, "standard");
  EXPECT_EQ(choose_inference(answers(200, 40, 3), 8, 10'000).name, "standard");
  Dataset weighted = answers(20, 5, 2);
  weighted.blocks[0].weight.assign(weighted.blocks[0].cells(), 0.5F);
  EXPECT_EQ(choose_inference(weighted, 2, 1).name, "standard");
}

// 40 items of 3 levels under 8 components are 960 parameters.
TEST(ChooseInference, StandardForFewObservationsPerParameter) {
  EXPECT_EQ(choose_inference(answers(119, 40, 3), 8, 1).name, "standard");
  EXPECT_EQ(choose_inference(answers(121, 40, 3), 8, 1).name, "monte-carlo");
}

// Rows of 40 words, beside 1 answer (2 % of the cells) and beside 5 (11 %).
TEST(ChooseInference, CollapsedForWordsWithAFewAnswersBesideThem) {
  const Block words =
      test::token_block("tokens", std::vector<std::vector<int>>(30, std::vector<int>(40, 1)));
  for (const std::size_t items : {1U, 5U}) {
    Dataset both = answers(30, items, 2);
    both.blocks.push_back(words);
    EXPECT_EQ(choose_for_words(both, 4).name, items == 1 ? "collapsed" : "");
  }
  Dataset numbers = test::dataset({words});
  numbers.blocks.push_back(test::random_block(families::gaussian_family, 30, 1, 0));
  EXPECT_EQ(choose_for_words(numbers, 4).name, "");
}

TEST(ChooseInference, CollapsedForWordsThatFitIntoMemory) {
  const Dataset words = test::dataset({test::random_block(families::tokens_family, 30, 1, 0)});
  EXPECT_EQ(choose_for_words(words, 4).name, "collapsed");
  EXPECT_EQ(choose_for_words(words, 100'000'000).name, "");
  EXPECT_EQ(choose_for_words(answers(30, 60, 2), 2).name, "");
}

}  // namespace
}  // namespace medley::model
