// SPDX-License-Identifier: Apache-2.0
// Variational Bayes of the tables: its bound against the evidence itself, on data so small that
// every assignment of words to topics can be added up, and fits from end to end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>

#include "engines/starts.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/simulate.hpp"
#include "model/model.hpp"
#include "support/em.hpp"
#include "support/files.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

using testing::content_of;
using testing::TemporaryFolder;

constexpr double kEta = 0.4;

double rising(double a, std::size_t n) {
  return std::lgamma(a + static_cast<double>(n)) - std::lgamma(a);
}

// log sum_z p(words, z): memberships and topics integrated out.
double log_evidence(const std::vector<std::vector<std::size_t>>& documents, std::size_t words,
                    const std::vector<double>& alpha) {
  std::size_t tokens = 0;
  for (const auto& d : documents) tokens += d.size();
  const std::size_t components = alpha.size();
  double alpha_sum = 0, sum = 0;
  for (const double a : alpha) alpha_sum += a;
  std::vector<std::size_t> z(tokens, 0);
  for (bool more = true; more;) {
    std::vector<std::size_t> topic(components * words, 0), total(components, 0);
    double log_p = 0;
    std::size_t at = 0;
    for (const auto& document : documents) {
      std::vector<std::size_t> n(components, 0);
      for (const std::size_t word : document) {
        ++n[z[at]];
        ++topic[z[at] * words + word];
        ++total[z[at++]];
      }
      for (std::size_t k = 0; k < components; ++k) log_p += rising(alpha[k], n[k]);
      log_p -= rising(alpha_sum, document.size());
    }
    for (const std::size_t n : topic) log_p += rising(kEta, n);
    for (const std::size_t n : total) log_p -= rising(kEta * static_cast<double>(words), n);
    sum += std::exp(log_p);
    std::size_t i = 0;
    while (i < tokens && ++z[i] == components) z[i++] = 0;
    more = i < tokens;
  }
  return std::log(sum);
}

TEST(VariationalBayes, TheBoundRisesAndStaysBelowTheEvidence) {
  const std::vector<std::vector<std::size_t>> documents = {{0, 0, 1}, {1, 2, 2}, {0, 2, 2, 2}};
  std::vector<std::vector<int>> counts(documents.size(), std::vector<int>(3, 0));
  for (std::size_t d = 0; d < documents.size(); ++d) {
    for (const std::size_t word : documents[d]) ++counts[d][word];
  }
  const Dataset data = test::dataset({test::token_block("words", counts)});
  const EmData prepared = prepare(data, 1);
  const std::vector<double> alpha = {0.6, 0.9};
  const double truth = log_evidence(documents, 3, alpha);
  const auto& mixed = memberships::mixed_membership;
  for (const char* mode : {"standard", "fast"}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      EmModel model = make_model(prepared, mixed, *model::find_inference(mode), 2);
      model.smoothing = {kEta, 0, true};
      model.alpha = AlphaMode::fixed;
      model.membership->set_parameters(alpha);
      VariationalEm em(prepared, std::move(model));
      em.start_from(sampled_memberships(data, 2, {seed, 0}));
      double before = -1e300;
      for (int i = 0; i < 100; ++i) {
        const double bound = em.iterate({1e-10, 1000});
        EXPECT_GE(bound, before - 1e-6) << mode;
        EXPECT_LE(bound, truth) << mode;
        before = bound;
      }
      if (std::string(mode) == "standard") {
        EXPECT_GT(before, truth - 3);
      }
    }
  }
}

// Of one component nothing is approximate: the bound is the evidence.
TEST(VariationalBayes, WithOneComponentTheBoundIsTheEvidence) {
  const std::vector<std::vector<std::size_t>> documents = {{0, 0, 1}, {1, 2, 2}};
  const Dataset data = test::dataset({test::token_block("words", {{2, 1, 0}, {0, 1, 2}})});
  const EmData prepared = prepare(data, 1);
  const auto& mixed = memberships::mixed_membership;
  EmModel model = make_model(prepared, mixed, model::usual_inference(mixed), 1);
  model.smoothing = {kEta, 0, true};
  VariationalEm em(prepared, std::move(model));
  em.iterate();
  EXPECT_NEAR(em.iterate(), log_evidence(documents, 3, {1.0}), 1e-9);
}

// With the smoothing fitted the bound still rises, and where it ends no other smoothing gives the
// tables' posteriors a smaller divergence from their prior.
TEST(VariationalBayes, AFittedSmoothingRaisesTheBoundToItsTop) {
  std::vector<std::vector<int>> codes;  // levels 0 and 1 are the usual ones, of rows in turn
  for (std::size_t row = 0; row < 60; ++row) {
    core::Rng rng(4, 1, row);
    auto& answers = codes.emplace_back();
    for (int f = 0; f < 5; ++f)
      answers.push_back(static_cast<int>(rng.uniform() < 0.8 ? row % 2 : rng.below(6)));
  }
  const Dataset data = test::dataset({test::random_block(families::tokens_family, 60, 1, 0.3),
                                      test::level_block("categorical", codes, {6, 6, 6, 6, 6}),
                                      test::random_block(families::gaussian_family, 60, 3, 0.2)});
  const EmData prepared = prepare(data, 1);
  const auto& mixed = memberships::mixed_membership;
  EmModel model = make_model(prepared, mixed, model::usual_inference(mixed), 2);
  model.smoothing = {0.01, 0, true};
  model.fit_smoothing();
  VariationalEm em(prepared, std::move(model));
  em.start_from(sampled_memberships(data, 2, {1, 0}));
  double before = -1e300;
  for (int i = 0; i < 600; ++i) {
    const double bound = em.iterate({1e-10, 1000});
    EXPECT_GE(bound, before - 1e-6);
    before = bound;
  }
  EXPECT_EQ(em.model().each[2], 0.01);  // numbers keep what was given
  for (const std::size_t b : {0U, 1U}) {
    families::Smoothing at = em.model().smoothing_of(b);
    const double step = 1e-4 * at.each;
    const families::Family& family = *em.model().families[b];
    at.each += step;
    const double up = family.log_prior(at);
    at.each -= 2 * step;
    const double slope = (up - family.log_prior(at)) / (2 * step);
    EXPECT_NEAR(slope * em.model().each[b], 0.0, 0.02) << b;
    EXPECT_GT(em.model().each[b], 0.01);
  }
}

FitOptions posterior(std::size_t components, std::size_t batch = 0) {
  FitOptions options;
  options.components = components;
  options.batch = batch;
  options.threads = 1;
  options.estimate = Estimate::vb;
  return options;
}

std::string bytes_of(const Model& model, const TemporaryFolder& folder) {
  model.save(folder / "m.medley");
  return content_of(folder / "m.medley");
}

TEST(VariationalBayes, FitsOfEveryKindReportWhatEvaluateRecomputes) {
  EvaluateOptions by_bound;
  by_bound.estimator = "bound";
  for (const std::size_t batch : {0U, 50U}) {
    for (const char* membership : {"mixed", "single"}) {
      FitOptions options = posterior(3, batch);
      options.membership = membership;
      const Dataset data = test::survey_and_corpus(300);
      const Model model = fit(data, options);
      EXPECT_FALSE(model.summary().warnings.size() > 3);
      EXPECT_NEAR(model.summary().bound, evaluate(model, data, by_bound).log_likelihood,
                  1e-9 * std::abs(model.summary().bound));
      for (const auto& block : model.parts().blocks) {
        EXPECT_EQ(block.strengths.size(), block.family->strengths_size());
        EXPECT_TRUE(block.family->strengths().empty());
      }
    }
  }
}

TEST(VariationalBayes, FindsPlantedTopics) {
  PlantOptions plan;
  plan.model = "lda";
  plan.components = 4;
  plan.columns = {{"tokens", 1, 60}};  // not a family
  plan.alpha = 0.1;
  plan.separation = 2;
  const Model truth = plant(plan);
  const Simulated drawn = simulate(truth, {1500, 0, 60, 5});
  EvaluateOptions by_bound;
  by_bound.estimator = "bound";
  const double best = evaluate(truth, drawn.data, by_bound).log_likelihood;
  for (const std::size_t batch : {0U, 100U}) {
    const Model fitted = fit(drawn.data, posterior(4, batch));
    EXPECT_NEAR(fitted.summary().bound / fitted.summary().observations,
                best / fitted.summary().observations, 0.01)
        << batch;
  }
}

TEST(VariationalBayes, ThreadsAndInterruptionsDoNotShow) {
  const TemporaryFolder folder;
  const Dataset data = test::survey_and_corpus(400);
  for (const std::size_t batch : {0U, 100U}) {
    FitOptions options = posterior(3, batch);
    options.max_iterations = 8;
    options.passes = 2;
    const std::string straight = bytes_of(fit(data, options), folder);
    options.threads = 3;
    EXPECT_TRUE(bytes_of(fit(data, options), folder) == straight);
    options.checkpoint = folder / "checkpoint";
    std::atomic<bool> stop{false};
    Hooks hooks;
    hooks.progress = [&](const Progress& p) { stop = p.stage == "fit" && p.iteration >= 5; };
    hooks.stop = &stop;
    EXPECT_EQ(fit(data, options, hooks).summary().termination, Termination::interrupted);
    options.resume = true;
    EXPECT_TRUE(bytes_of(fit(data, options), folder) == straight) << batch;
    options.resume = false;
  }
}

TEST(VariationalBayes, AFileIsAStart) {
  const TemporaryFolder folder;
  const Dataset data = test::corpus(300);
  const Model first = fit(data, posterior(2));
  first.save(folder / "m.medley");
  FitOptions options = posterior(2);
  const Model saved = Model::load(folder / "m.medley");
  const Model second = fit(data, options, saved);
  // It goes on from the posterior, not from its means: only alpha has been settled in between.
  const auto& before = first.summary().restarts[0].bound;
  const double begun = second.summary().restarts[0].bound.front();
  EXPECT_GT(begun, before.front() + 0.9 * (before.back() - before.front()));
  EXPECT_GE(second.summary().penalised_bound, before.back() - 1e-3);
  options.estimate = Estimate::map;
  EXPECT_TRUE(fit(data, options, saved).parts().blocks[0].strengths.empty());
}

TEST(VariationalBayes, OnlineLdaIsAPreset) {
  FitOptions options;
  options.model = "online-lda";
  options.components = 2;
  options.threads = 1;
  const Dataset data = test::corpus(1200);
  const Model model = fit(data, options);
  EXPECT_EQ(model.summary().termination, Termination::passes_done);
  EXPECT_EQ(model.parts().options.estimate, Estimate::vb);
  EXPECT_EQ(model.parts().options.smoothing, 0.05);
  EXPECT_EQ(model.parts().options.batch, 500U);
  options.smoothing = 0.2;
  options.batch = 100;
  options.estimate = Estimate::map;
  const Model other = fit(data, options);
  EXPECT_EQ(other.parts().options.smoothing, 0.2);
  EXPECT_EQ(other.parts().options.batch, 100U);
  EXPECT_TRUE(other.parts().blocks[0].strengths.empty());
}

}  // namespace
}  // namespace medley::engines
