// SPDX-License-Identifier: Apache-2.0
// Draws as a model holds them, in its file, and their means over rows. What is averaged is checked
// against every draw on its own.
#include "model/draws.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "medley/error.hpp"
#include "medley/fit.hpp"
#include "medley/uncertainty.hpp"
#include "model/model_file.hpp"
#include "model/model_on_data.hpp"
#include "model/predictive_mixture.hpp"
#include "support/as_draws.hpp"
#include "support/files.hpp"

namespace medley::model {
namespace {

using ::testing::HasSubstr;

Model fitted(const Dataset& data, std::size_t components, std::uint64_t seed) {
  FitOptions options;
  options.model = "mmnb";
  options.components = components;
  options.threads = 1;
  options.init = "random";
  options.seed = seed;
  options.max_iterations = 5;
  return fit(data, options);
}

// Three draws: as the model, with two components changed over, and of three components.
struct Example {
  Dataset data = test::survey_and_corpus(40);
  std::vector<Model> each = {fitted(data, 2, 1), fitted(data, 2, 2), fitted(data, 3, 3)};
  std::vector<std::vector<double>> onto = {{}, {0, 1, 1, 0}, {1, 0, 0.25, 0.75, 0, 1}};
  Model model = test::as_draws(each, onto);
};

TEST(Draws, AModelOfADrawIsThatDraw) {
  const Example example;
  // Sorted by chain: draws 0, 2 and then 1.
  const std::size_t from[] = {0, 2, 1};
  for (std::size_t d = 0; d < 3; ++d) {
    const Model drawn = draw_model(example.model, d);
    const Model& truth = example.each[from[d]];
    EXPECT_EQ(drawn.prior(), truth.prior());
    EXPECT_FALSE(drawn.parts().draws);
    for (std::size_t b = 0; b < 2; ++b)
      EXPECT_TRUE(std::ranges::equal(drawn.parts().blocks[b].family->parameters(),
                                     truth.parts().blocks[b].family->parameters()));
  }
}

TEST(Draws, ScoresAreMeansOverDraws) {
  const Example example;
  const ScoredRows scored = ModelOnData(example.model, example.data).score(example.data, 1);
  std::vector<ScoredRows> each;
  for (const Model& one : example.each)
    each.push_back(ModelOnData(one, example.data).score(example.data, 1));
  for (std::size_t row = 0; row < example.data.rows; ++row) {
    double probability = 0, first = 0;
    for (const ScoredRows& one : each) probability += std::exp(one.bound[row]) / 3;
    EXPECT_NEAR(scored.bound[row], std::log(probability), 1e-10);
    first += each[0].share[row * 2];
    first += each[1].share[row * 2 + 1];
    first += each[2].share[row * 3] + 0.25 * each[2].share[row * 3 + 1];
    EXPECT_NEAR(scored.share[row * 2], first / 3, 1e-12);
    EXPECT_NEAR(scored.share[row * 2] + scored.share[row * 2 + 1], 1, 1e-12);
  }
}

TEST(Draws, TheMixtureOfACellIsTheMeanOfTheDraws) {
  const Example example;
  const ModelOnData on_data(example.model, example.data);
  const PredictiveMixture mixture = predictive_mixture(on_data, example.data, 1);
  ASSERT_EQ(mixture.components, 7U);
  for (std::size_t b = 0; b < 2; ++b) {
    const families::Family& family = *mixture.family[b];
    for (const std::size_t row : {0U, 5U}) {
      double mean = 0;
      for (const Model& one : example.each) {
        const std::vector<double> share =
            ModelOnData(one, example.data).predictive(example.data, 1).share;
        for (std::size_t k = 0; k < one.components(); ++k)
          mean += share[row * one.components() + k] * one.parts().blocks[b].probability(1, k) / 3;
      }
      double found = 0;
      for (std::size_t k = 0; k < 7; ++k)
        found += mixture.of_row(row)[k] * family.parameters()[family.padded() + k];
      EXPECT_NEAR(found, mean, 1e-12);
    }
  }
}

TEST(Draws, ReorderedProfilesHaveTheSameMeans) {
  const Example example;
  const std::size_t order[] = {1, 0};
  const Draws other = reordered(*example.model.parts().draws, order);
  const std::vector<double> share = {0.2, 0.8};
  std::vector<double> before(2, 0.0), after(2, 0.0);
  add_onto(example.model.parts().draws->draw[0], share, 1, before);
  // Its components changed places with the profiles.
  add_onto(other.draw[0], std::vector<double>{0.8, 0.2}, 1, after);
  EXPECT_EQ(after[0], before[1]);
  EXPECT_EQ(after[1], before[0]);
  EXPECT_EQ(other.draw[0].prior[0], example.model.parts().draws->draw[0].prior[1]);
  // Of three components: they stay, and point elsewhere.
  EXPECT_EQ(other.draw[1].prior, example.model.parts().draws->draw[1].prior);
  EXPECT_EQ(other.draw[1].onto, (std::vector<double>{0, 1, 0.75, 0.25, 1, 0}));
}

TEST(Draws, TheFileBringsThemBack) {
  const Example example;
  const core::TensorFile file = to_tensors(example.model.parts());
  const auto again = from_tensors(file);
  EXPECT_EQ(core::serialise_tensors(to_tensors(*again)), core::serialise_tensors(file));
  ASSERT_TRUE(again->draws);
  EXPECT_EQ(again->draws->draw.size(), 3U);
  EXPECT_EQ(again->draws->trace.front().name, "log-likelihood");
  EXPECT_EQ(again->draws->deviance->plug_in, 280);
}

TEST(Draws, ADamagedFileIsRefused) {
  const Example example;
  const auto refusal = [&](const std::function<void(core::TensorFile&)>& spoil) -> std::string {
    core::TensorFile file = to_tensors(example.model.parts());
    file.origin = "spoilt.medley";
    spoil(file);
    try {
      (void)from_tensors(file);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const auto doubles = [](core::TensorFile& file, const char* name) -> std::vector<double>& {
    return std::get<std::vector<double>>(file.tensors.at(name).values);
  };
  const auto integers = [](core::TensorFile& file, const char* name) -> std::vector<std::int64_t>& {
    return std::get<std::vector<std::int64_t>>(file.tensors.at(name).values);
  };
  EXPECT_EQ(refusal([](core::TensorFile&) {}), "");
  for (const char* name : {"draws.prior", "draws.onto", "draws.block.0", "draws.block.1"}) {
    EXPECT_THAT(refusal([&](auto& file) { doubles(file, name).pop_back(); }),
                HasSubstr("spoilt.medley"));
    EXPECT_THAT(refusal([&](auto& file) { doubles(file, name).push_back(0.5); }),
                HasSubstr("spoilt.medley"));
    EXPECT_THAT(refusal([&](auto& file) { doubles(file, name).front() = std::nan(""); }),
                HasSubstr("not a number"));
    EXPECT_THAT(refusal([&](auto& file) { doubles(file, name).front() = -3; }),
                HasSubstr("spoilt.medley"));
  }
  for (const std::int64_t wrong : {-1, 0, 1000}) {
    EXPECT_NE(refusal([&](auto& file) { integers(file, "draws.components")[0] = wrong; }), "");
  }
  EXPECT_NE(refusal([&](auto& file) { integers(file, "draws.chain")[0] = 2; }), "");
  EXPECT_NE(refusal([&](auto& file) { integers(file, "draws.sweep")[0] = 3; }), "");
  EXPECT_NE(refusal([&](auto& file) { file.tensors.erase("draws.trace.0"); }), "");
  for (const char* summary :
       {"", "[]", "{}", R"({"burn_in":1,"sweeps":18446744073709551615,"chains":2})",
        R"({"burn_in":1,"sweeps":3,"chains":99})"}) {
    EXPECT_NE(refusal([&](auto& file) { file.metadata["draws"] = summary; }), "") << summary;
  }
}

TEST(Draws, AsCsvInTheLayoutOfCmdStan) {
  const Dataset data = test::survey(30);
  const Model one = fitted(data, 2, 1), other = fitted(data, 2, 2);
  const Model model = test::as_draws({one, other, one}, {{}, {}, {}});
  EXPECT_EQ(chains_of(model), 2U);
  EXPECT_EQ(chains_of(one), 0U);
  EXPECT_THROW((void)draws_csv(one, 0), InputError);
  const std::string text = draws_csv(model, 1);
  EXPECT_THAT(text, HasSubstr("# num_warmup = 7\n"));
  EXPECT_THAT(text, HasSubstr("\nlp__,alpha.1,alpha.2,"));
  const std::size_t first = text.find("\n-100,");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("\n-101,"), std::string::npos);  // one draw of this chain
  EXPECT_EQ(std::stod(text.substr(first + 6)), other.prior()[0]);
}

}  // namespace
}  // namespace medley::model
