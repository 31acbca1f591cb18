// SPDX-License-Identifier: Apache-2.0
#include "model/inference.hpp"

#include <gtest/gtest.h>

#include <map>

#include "memberships/registry.hpp"
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

InferenceChoice chosen(const Situation& situation) {
  return choose_inference(situation);
}
// What is chosen for mixed membership.
std::string chosen(const Dataset& data, std::size_t components, std::size_t restarts = 1) {
  return chosen({data, memberships::mixed_membership, components, restarts}).inference->name;
}
// The same where only what was made for the words is wanted; "": nothing is.
std::string chosen_for_words(const Dataset& data, std::size_t components) {
  Situation situation{data, memberships::mixed_membership, components};
  situation.words_alone = true;
  const InferenceChoice choice = chosen(situation);
  return choice.inference == nullptr ? "" : choice.inference->name;
}

TEST(ChooseInference, ExactForAFewProfilesOfAShortSurvey) {
  EXPECT_EQ(chosen(answers(200, 10, 2), 3, 1), "exact");
}

TEST(ChooseInference, MonteCarloWhereTheLatticeIsTooLarge) {
  const Dataset data = answers(200, 40, 3);
  const InferenceChoice choice = chosen({data, memberships::mixed_membership, 8});
  EXPECT_EQ(choice.inference, &monte_carlo_inference);
  EXPECT_NE(choice.why.find("40 observations"), std::string::npos);
}

TEST(ChooseInference, StandardForLongRowsAndForWhatWouldTakeTooLong) {
  EXPECT_EQ(chosen(answers(30, 60, 2), 2, 1), "standard");
  EXPECT_EQ(chosen(answers(200, 40, 3), 8, 10'000), "standard");
  Dataset weighted = answers(20, 5, 2);
  weighted.blocks[0].weight.assign(weighted.blocks[0].cells(), 0.5F);
  EXPECT_EQ(chosen(weighted, 2, 1), "standard");
}

// 40 items of 3 levels under 8 components are 960 parameters.
TEST(ChooseInference, StandardForFewObservationsPerParameter) {
  EXPECT_EQ(chosen(answers(119, 40, 3), 8, 1), "standard");
  EXPECT_EQ(chosen(answers(121, 40, 3), 8, 1), "monte-carlo");
}

// Rows of 40 words, beside 1 answer (2 % of the cells) and beside 5 (11 %).
TEST(ChooseInference, CollapsedForWordsWithAFewAnswersBesideThem) {
  const Block words =
      test::token_block("tokens", std::vector<std::vector<int>>(30, std::vector<int>(40, 1)));
  for (const std::size_t items : {1U, 5U}) {
    Dataset both = answers(30, items, 2);
    both.blocks.push_back(words);
    EXPECT_EQ(chosen_for_words(both, 4), items == 1 ? "collapsed" : "");
  }
  Dataset numbers = test::dataset({words});
  numbers.blocks.push_back(test::random_block(families::gaussian_family, 30, 1, 0));
  EXPECT_EQ(chosen_for_words(numbers, 4), "");
}

TEST(ChooseInference, CollapsedForWordsThatFitIntoMemory) {
  const Dataset words = test::dataset({test::random_block(families::tokens_family, 30, 1, 0)});
  EXPECT_EQ(chosen_for_words(words, 4), "collapsed");
  EXPECT_EQ(chosen_for_words(words, 100'000'000), "");
  EXPECT_EQ(chosen_for_words(answers(30, 60, 2), 2), "");
}

// Of short rows, for which exact inference is chosen otherwise.
TEST(ChooseInference, NeedsOfALabelAndOfPosteriorsAreMet) {
  const Dataset data = answers(200, 10, 2);
  Situation situation{data, memberships::mixed_membership, 3};
  situation.label = true;
  EXPECT_EQ(chosen(situation).inference, &fast_inference);
  situation.label = false;
  situation.posterior = true;
  EXPECT_EQ(chosen(situation).inference, &standard_inference);
  EXPECT_EQ(chosen({data, memberships::single_membership, 3}).inference, nullptr);
}

// The grid as it is documented (docs/adding-an-inference.md).
TEST(Inferences, AreOfferedForTheMembershipsWhoseFlagsMeetTheirNeeds) {
  const std::map<std::string, std::vector<std::string>> grid = {
      {"mixed", {"standard", "fast", "exact", "monte-carlo", "collapsed", "gibbs"}},
      {"single", {"standard"}},
      {"infinite", {"gibbs"}},
      {"gamma", {"standard", "fast"}},
      {"correlated", {"standard"}}};
  for (const auto* membership : memberships::registry()) {
    std::vector<std::string> names;
    for (const Inference* inference : offered(*membership)) {
      names.emplace_back(inference->name);
      EXPECT_EQ(find_inference(inference->name), inference);
      EXPECT_EQ(find_inference(inference->name, *membership), inference);
    }
    EXPECT_EQ(names, grid.at(membership->name)) << membership->name;
  }
  EXPECT_EQ(find_inference("fast", memberships::single_membership), nullptr);
  EXPECT_EQ(find_inference("no-such-inference"), nullptr);
}

TEST(Inferences, RowsAreInferredAsTheMembershipAllows) {
  using memberships::Pooling;
  const auto method = [](const Inference& inference, const memberships::MembershipEntry& entry) {
    return row_method(inference, entry);
  };
  const auto& mixed = memberships::mixed_membership;
  EXPECT_EQ(method(standard_inference, mixed).pooling, Pooling::none);
  EXPECT_FALSE(method(standard_inference, mixed).exact);
  EXPECT_EQ(method(fast_inference, mixed).pooling, Pooling::average);
  EXPECT_FALSE(method(exact_inference, mixed).by_fixed_point);
  EXPECT_FALSE(method(gibbs_inference, mixed).by_fixed_point);
  EXPECT_TRUE(method(collapsed_inference, mixed).by_fixed_point);
  for (const auto* sole : {&memberships::single_membership, &memberships::infinite_membership}) {
    const RowMethod rows = method(usual_inference(*sole), *sole);
    EXPECT_EQ(rows.pooling, Pooling::sum);
    EXPECT_TRUE(rows.exact && rows.by_fixed_point);
  }
}

}  // namespace
}  // namespace medley::model
