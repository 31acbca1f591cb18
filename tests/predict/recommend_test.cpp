// SPDX-License-Identifier: Apache-2.0
// Recommendations against expectations worked out by hand.
#include <gtest/gtest.h>

#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "support/hand_model.hpp"

namespace medley {
namespace {

// Three users, four items, levels "1" and "3" (or words); user 2 has seen nothing.
struct Log {
  explicit Log(const std::vector<std::string>& levels)
      : data(test::dataset({test::level_block(
            "categorical", {{0, -1, -1, -1}, {-1, 1, 1, -1}, {-1, -1, -1, -1}}, {2, 2, 2, 2})})) {
    for (Feature& feature : data.blocks[0].features) feature.levels = levels;
    parts = test::hand_parts("single", {0.5, 0.5}, data);
    // probability of the higher level: items are liked by the first, the second, both, neither
    test::set_table(*parts->blocks[0].family, {{0.1, 0.9},
                                               {0.9, 0.1},
                                               {0.8, 0.2},
                                               {0.2, 0.8},
                                               {0.3, 0.3},
                                               {0.7, 0.7},
                                               {0.9, 0.9},
                                               {0.1, 0.1}});
    parts->blocks[0].total = {50, 50, 3, 1, 5, 5, 7, 0};
  }
  Dataset data;
  std::shared_ptr<model::Parts> parts;
};

std::vector<std::size_t> items(const std::vector<Recommendation>& list) {
  std::vector<std::size_t> out;
  for (const Recommendation& each : list) out.push_back(each.cell.place.feature);
  return out;
}

using Items = std::vector<std::size_t>;

TEST(Recommend, UnseenItemsByTheirMeanRating) {
  const Log log({"1", "3"});
  RecommendOptions options;
  options.least_in_training = 0;
  const auto best = recommend(Model(log.parts), log.data, {0, 1, 2}, options);
  // user 0 gave item 0 the lower level: 90 % of the second kind
  EXPECT_EQ(items(best[0]), (Items{1, 2, 3}));
  EXPECT_NEAR(best[0][0].score, 1 + 2 * (0.1 * 0.2 + 0.9 * 0.8), 1e-12);
  EXPECT_NEAR(best[0][1].score, 1 + 2 * 0.7, 1e-12);
  EXPECT_NEAR(best[0][1].cell.probability[1], 0.7, 1e-12);
  EXPECT_EQ(best[0][0].in_training, 4);
  EXPECT_EQ(items(best[1]), (Items{0, 3}));
  EXPECT_EQ(items(best[2]), (Items{2, 0, 1, 3}));  // equal scores in the order of the items
  EXPECT_EQ(score_meaning(log.data.blocks[0], options), "mean value");
}

TEST(Recommend, NoItemIsUnseenWhereMissingIsALevel) {
  Log log({"1", "3"});
  log.data.schema.missing_as_category = true;
  EXPECT_THROW((void)recommend(Model(log.parts), log.data, {0}, {}), InputError);
}

TEST(Recommend, TheTopAndTheWellKnownOnly) {
  const Log log({"1", "3"});
  RecommendOptions options;
  options.top = 1;
  EXPECT_EQ(items(recommend(Model(log.parts), log.data, {0}, options)[0]), (Items{2}));
  options.least_in_training = 1000;
  EXPECT_TRUE(recommend(Model(log.parts), log.data, {0}, options)[0].empty());
}

TEST(Recommend, WordsAreRankedByTheLastOrTheChosenLevel) {
  const Log log({"bad", "good"});
  RecommendOptions options;
  options.least_in_training = 0;
  EXPECT_EQ(score_meaning(log.data.blocks[0], options), "probability of \"good\"");
  EXPECT_EQ(items(recommend(Model(log.parts), log.data, {0}, options)[0]), (Items{1, 2, 3}));
  options.level = "bad";
  const auto worst = recommend(Model(log.parts), log.data, {0}, options)[0];
  EXPECT_EQ(items(worst), (Items{3, 2, 1}));
  EXPECT_NEAR(worst[0].score, 0.9, 1e-12);
  options.level = "ugly";
  EXPECT_THROW((void)score_meaning(log.data.blocks[0], options), InputError);
  EXPECT_THROW((void)recommend(Model(log.parts), log.data, {0}, options), InputError);
}

TEST(Recommend, NumbersByTheirMean) {
  const Dataset data =
      test::dataset({test::number_block("gaussian", {{1, test::kNoNumber, test::kNoNumber}}, 3)});
  const auto parts = test::hand_parts("single", {0.5, 0.5}, data);
  test::set_numbers(*parts->blocks[0].family,
                    {{{0, 0}, {1, 1}}, {{1, 2}, {1, 1}}, {{5, -1}, {1, 1}}});
  RecommendOptions options;
  options.least_in_training = 1;
  const auto best = recommend(Model(parts), data, {0}, options)[0];
  EXPECT_EQ(items(best), (Items{2, 1}));
  EXPECT_NEAR(best[0].score, 2.0, 1e-12);
  EXPECT_NEAR(best[0].cell.sd, std::sqrt(1 + 9), 1e-12);
}

TEST(Recommend, NoSuchRowOrBlock) {
  const Log log({"1", "3"});
  RecommendOptions options;
  EXPECT_THROW((void)recommend(Model(log.parts), log.data, {3}, options), InputError);
  options.block = 1;
  EXPECT_THROW((void)recommend(Model(log.parts), log.data, {0}, options), InputError);
}

}  // namespace
}  // namespace medley
