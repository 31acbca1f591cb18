// SPDX-License-Identifier: Apache-2.0
// Numbers of parameters against counts by hand, family by family and membership by membership.
#include "choose/fit_scores.hpp"

#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "medley/fit.hpp"
#include "medley/io.hpp"
#include "medley/simulate.hpp"

namespace medley::choose {
namespace {

std::size_t planted(const std::string& model, std::size_t components,
                    std::vector<PlantedColumns> columns) {
  PlantOptions options;
  options.model = model;
  options.components = components;
  options.columns = std::move(columns);
  return count_parameters(plant(options).parts());
}

TEST(CountParameters, GradeOfMembershipHasOneForEachItemAndProfileAndAlpha) {
  EXPECT_EQ(planted("gom", 3, {{"bernoulli", 16, 0}}), 3U + 16U * 3U);
  EXPECT_EQ(planted("gom", 9, {{"bernoulli", 16, 0}}), 153U);
}

TEST(CountParameters, OfEveryFamilyWhatIsFree) {
  EXPECT_EQ(planted("mmnb", 2, {{"categorical", 3, 4}}), 2U + 2U * 3U * 3U);
  EXPECT_EQ(planted("lda", 4, {{"tokens", 1, 50}}), 4U + 4U * 49U);
  EXPECT_EQ(planted("mmnb", 2, {{"gaussian", 5, 0}}), 2U + 2U * 5U * 2U);
  EXPECT_EQ(planted("mmnb", 2, {{"lognormal", 5, 0}}), 2U + 2U * 5U * 2U);
  EXPECT_EQ(planted("mmnb", 2, {{"gamma", 1, 0}}), 2U + 2U * 2U);
  EXPECT_EQ(planted("mmnb", 3, {{"poisson", 4, 0}}), 3U + 3U * 4U);
  EXPECT_EQ(planted("mmnb", 3, {{"geometric", 4, 0}}), 3U + 3U * 4U);
  EXPECT_EQ(planted("mmnb", 3, {{"exponential", 4, 0}}), 3U + 3U * 4U);
  EXPECT_EQ(planted("mmnb", 3, {{"bernoulli", 2, 0}, {"gaussian", 1, 0}}), 3U + 3U * (2U + 2U));
}

TEST(CountParameters, ThePriorCountsAsItWasFitted) {
  EXPECT_EQ(planted("mnb", 3, {{"bernoulli", 4, 0}}), 2U + 12U);  // shares sum to 1
  EXPECT_EQ(planted("gom", 1, {{"bernoulli", 4, 0}}), 4U);        // nothing to share out
  PlantOptions options;
  options.model = "lda";
  options.components = 5;
  options.columns = {{"tokens", 1, 20}, {"tokens", 1, 30}};  // text and references
  const Model model = plant(options);
  const auto with = [&](const std::string& alpha) {
    const auto parts = model.parts().clone();
    parts->options.alpha = alpha;
    return count_parameters(*parts);
  };
  EXPECT_EQ(with("symmetric"), 1U + 5U * 19U + 5U * 29U);
  EXPECT_EQ(with("fitted"), 5U + 5U * 19U + 5U * 29U);
  EXPECT_EQ(with("fixed:50/K"), 5U * 19U + 5U * 29U);
}

TEST(CountParameters, ALabelHasAWeightOfEveryProfileForAllClassesButOne) {
  const testing::TemporaryFolder folder;
  std::string text = "a,b,kind\n";
  for (std::size_t i = 0; i < 30; ++i)
    text +=
        std::string(i % 2 == 0 ? "x" : "y") + (i % 5 == 0 ? ",p," : ",q,") + "abc"[i % 3] + '\n';
  testing::put_content(folder / "t.csv", text);
  ReadOptions reading;
  reading.label = "kind";
  const Dataset data = read({{"", folder / "t.csv"}}, reading);
  FitOptions options;
  options.components = 2;
  options.alpha = "fitted";
  EXPECT_EQ(count_parameters(fit(data, options).parts()), 2U + 2U * 2U + 2U * 2U);
}

}  // namespace
}  // namespace medley::choose
