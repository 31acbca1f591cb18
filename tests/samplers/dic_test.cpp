// SPDX-License-Identifier: Apache-2.0
#include "samplers/gom_record.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "math/special.hpp"
#include "samplers/gom_sampler.hpp"
#include "samplers/gom_survey.hpp"

namespace medley::samplers {
namespace {

TEST(Dic, IsTheMeanDeviancePlusWhatItCosts) {
  const Dic dic = conditional_dic(std::vector<double>{-10, -12, -14}, -11);
  EXPECT_DOUBLE_EQ(dic.mean_deviance, 24);
  EXPECT_DOUBLE_EQ(dic.plug_in, 22);
  EXPECT_DOUBLE_EQ(dic.effective(), 2);
  EXPECT_DOUBLE_EQ(dic.dic(), 26);
}

// One profile: E log beta of a Beta(1 + s, 1 + f) is known, and p_D counts the six items (5.5).
TEST(Dic, OneProfileHasTheClosedForm) {
  const Survey survey(60, 6);
  double mean = 0, plug_in = 0;
  for (std::size_t j = 0; j < 6; ++j) {
    double s = 0, f = 0;
    for (const auto& row : survey.codes) {
      s += row[j] == 1 ? 1 : 0;
      f += row[j] == 0 ? 1 : 0;
    }
    const double all = math::digamma(2 + s + f);
    mean -= 2 * (s * (math::digamma(1 + s) - all) + f * (math::digamma(1 + f) - all));
    plug_in -= 2 * (s * std::log((1 + s) / (2 + s + f)) + f * std::log((1 + f) / (2 + s + f)));
  }
  EXPECT_NEAR(mean - plug_in, 5.7, 0.4);
  GomOptions options;
  options.components = 1;
  const GomModel model(survey.data, options);
  GomSampler sampler(model, {2, 10, 10, 5, {}});
  sampler.run(900, 2);
  const Dic dic = sampler.dic();
  EXPECT_NEAR(dic.mean_deviance, mean, 0.4);
  EXPECT_NEAR(dic.plug_in, plug_in, 0.05);
}

/// The record of a chain whose labels are switched after every other sweep, or never.
struct Switched {
  Switched(const Survey& survey, bool switching) {
    GomOptions options;
    const GomModel model(survey.data, options);
    GomRecord record(model, {});
    GomState state;
    {
      GomChain chain(model, 0);
      for (int i = 0; i < 150; ++i) chain.sweep(true, 1);
      state = {chain.alpha(), chain.tables(), chain.z()};
    }
    const std::size_t width = state.tables[0].size() / survey.data.blocks[0].slots();

    std::vector<double> probability(model.cell_code().size());
    for (std::size_t i = 0; i < kSweeps; ++i) {
      options.seed = i;
      const GomModel again(survey.data, options);
      GomChain chain(again, 0);
      chain.start(state);
      chain.sweep(false, 1);
      record.add(chain, chain.look(probability, 1), probability);
      record.keep(chain);
      state = {chain.alpha(), chain.tables(), chain.z()};
      if (!switching || i % 2 == 0) continue;
      std::swap(state.alpha[0], state.alpha[1]);
      for (std::size_t at = 0; at < state.tables[0].size(); at += width)
        std::swap(state.tables[0][at], state.tables[0][at + 1]);
      for (std::uint16_t& k : state.z) k = static_cast<std::uint16_t>(1 - k);
    }
    double plug_in = 0;
    for (std::size_t c = 0; c < probability.size(); ++c)
      plug_in += record.log_probability_sum(c) - std::log(static_cast<double>(kSweeps));
    dic = conditional_dic(record.log_likelihood(), plug_in);
    share = record.share_sum();
    for (double& s : share) s /= static_cast<double>(kSweeps);
    for (const GomDraw& draw : record.draws())
      yes += draw.tables[0][width] / static_cast<double>(kSweeps);
    first_yes = record.draws().front().tables[0][width];
  }

  static constexpr std::size_t kSweeps = 700;
  Dic dic;
  std::vector<double> share;
  double yes = 0, first_yes = 0;  // of item 0 under component 0: on average, in the first draw
};

TEST(Dic, SwitchedLabelsChangeNothing) {
  const Survey survey(60, 6);
  const Switched never(survey, false), often(survey, true);
  EXPECT_NEAR(often.dic.mean_deviance, never.dic.mean_deviance, 3);
  EXPECT_NEAR(often.dic.effective(), never.dic.effective(), 2.5);
  EXPECT_GT(never.dic.effective(), 15);
  // Nor do means of what has labels: both begin with the same names.
  EXPECT_NEAR(often.yes, never.yes, 0.05);
  EXPECT_GT(std::abs(never.yes - 0.5), 0.2);
  for (std::size_t i = 0; i < never.share.size(); ++i)
    EXPECT_NEAR(often.share[i], never.share[i], 0.15) << i;
}

}  // namespace
}  // namespace medley::samplers
