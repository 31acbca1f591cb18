// SPDX-License-Identifier: Apache-2.0
// Exact EM on every family: the penalised likelihood never falls, its end is a maximum, threads
// change no bit, a saved run goes on with the same bits; refusals in words.
#include "engines/exact_em.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "engines/registry.hpp"
#include "engines/run_trace.hpp"
#include "engines/starts.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "model/exact_rows.hpp"
#include "support/em.hpp"
#include "support/exact.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

const model::Inference& exact_mode() {
  return *model::find_inference("exact");
}

FitOptions options(std::size_t components) {
  FitOptions o;
  o.components = components;
  o.inference = "exact";
  o.threads = 1;
  return o;
}

class ExactFamily : public testing::TestWithParam<const families::FamilyEntry*> {
 public:
  static constexpr std::size_t kComponents = 3;
  Dataset data =
      weighted(test::dataset({test::random_block(*GetParam(), 60, 3, 0.2),
                              test::random_block(families::categorical_family, 60, 4, 0.3)}));
  static Dataset weighted(Dataset d) {
    for (std::size_t row = 0; row < d.rows; ++row)
      d.row_weight.push_back(0.5 + static_cast<double>(row % 3));
    return d;
  }
  [[nodiscard]] static EmData prepared(const Dataset& d, std::size_t threads) {
    EmData out = prepare(d, threads);
    out.own = engine_data(out, exact_mode(), options(kComponents));
    return out;
  }
  [[nodiscard]] EmModel model(const families::Smoothing& smoothing = 0.01) const {
    EmModel m =
        make_model(prepare(data, 1), memberships::mixed_membership, exact_mode(), kComponents);
    m.smoothing = smoothing;
    return m;
  }
};

TEST_P(ExactFamily, PenalisedLikelihoodNeverFalls) {
  const EmData em_data = prepared(data, 1);
  for (const AlphaMode alpha : {AlphaMode::fitted, AlphaMode::symmetric, AlphaMode::fixed}) {
    for (const families::Smoothing& smoothing :
         {families::Smoothing(0), families::Smoothing(0.01), families::Smoothing(0.01, 2)}) {
      EmModel m = model(smoothing);
      m.alpha = alpha;
      const auto em = make_engine(em_data, std::move(m), 1);
      em->start_from(random_rows(data, kComponents, {1, 0}));
      double before = em->iterate();
      for (int i = 0; i < 15; ++i) {
        const double after = em->iterate();
        ASSERT_GE(after, before - 1e-12 * std::abs(before)) << "iteration " << i;
        before = after;
      }
      const auto prior = em->model().membership->parameters();
      if (alpha == AlphaMode::fixed) {
        EXPECT_EQ(prior[0], 1.0 / 3);
      }
      if (alpha != AlphaMode::fitted) {
        EXPECT_NEAR(prior[0], prior[2], 1e-12 * prior[0]);
      }
    }
  }
}

// What iterate() returns is the log-likelihood that rows score one by one, plus the log priors of
// the tables and of alpha.
TEST_P(ExactFamily, ObjectiveIsTheLikelihoodOfTheParameters) {
  const EmData em_data = prepared(data, 1);
  const auto em = make_engine(em_data, model(), 1);
  em->start_from(random_rows(data, kComponents, {1, 0}));
  double objective = 0;
  for (int i = 0; i < 6; ++i) objective = em->iterate();
  double sum = 0;
  for (const double a : em->model().membership->parameters()) sum += a;
  double plain = em->model().log_prior() + std::log(sum / (1 + sum));
  for (std::size_t row = 0; row < data.rows; ++row) {
    std::vector<std::vector<double>> l = test::plain_rows(em->model(), data, row);
    const auto alpha = em->model().membership->parameters();
    plain += data.weight_of(row) * test::exact_log_likelihood(l, test::plain_weights(data, row),
                                                              {alpha.begin(), alpha.end()});
  }
  EXPECT_NEAR(objective, plain, 1e-10 * std::abs(plain));
}

TEST_P(ExactFamily, ThreadsChangeNoBit) {
  std::vector<std::vector<double>> results;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    const EmData em_data = prepared(data, threads);
    const auto em = make_engine(em_data, model(), 1);
    em->start_from(random_rows(data, kComponents, {1, 0}));
    std::vector<double> trace;
    for (int i = 0; i < 8; ++i) trace.push_back(em->iterate());
    for (const auto& family : em->model().families)
      trace.insert(trace.end(), family->parameters().begin(), family->parameters().end());
    for (const double v : em->model().membership->parameters()) trace.push_back(v);
    results.push_back(trace);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST_P(ExactFamily, SavedRunGoesOnWithTheSameBits) {
  const EmData em_data = prepared(data, 1);
  const auto straight = make_engine(em_data, model(), 1), first = make_engine(em_data, model(), 1),
             second = make_engine(em_data, model(), 1);
  straight->start_from(random_rows(data, kComponents, {1, 0}));
  first->start_from(random_rows(data, kComponents, {1, 0}));
  for (int i = 0; i < 5; ++i) {
    straight->iterate();
    first->iterate();
  }
  core::TensorFile file;
  first->save(file, "run.");
  second->restore(core::parse_tensors(core::serialise_tensors(file), "memory"), "run.");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(straight->iterate(), second->iterate());
}

INSTANTIATE_TEST_SUITE_P(Families, ExactFamily, testing::ValuesIn(families::registry()),
                         [](const auto& test) { return std::string(test.param->name); });

// Acceleration must end where plain EM would: at a maximum.
TEST(ExactEm, EndsAtAMaximum) {
  const Dataset data = test::dataset({test::random_block(families::bernoulli_family, 200, 5, 0.1)});
  EmData em_data = prepare(data, 1);
  em_data.own = engine_data(em_data, exact_mode(), options(2));
  EmModel m = make_model(em_data, memberships::mixed_membership, exact_mode(), 2);
  m.smoothing = 0.5;
  const auto em = make_engine(em_data, std::move(m), 1);
  em->start_from(random_rows(data, 2, {2, 0}));
  double best = 0;
  for (int i = 0; i < 200; ++i) best = em->iterate();
  const auto objective = [&] {
    const auto families = em->model().family_pointers();
    for (auto& family : em->model().families) family->prepare(false);
    const auto scored =
        model::score_exactly({families, em->model().membership.get(), &exact_mode()}, data, 1);
    double value = em->model().log_prior(), all = 0;
    for (const double a : em->model().membership->parameters()) all += a;
    for (const double b : scored.bound) value += b;
    return value + std::log(all / (1 + all));
  };
  EXPECT_NEAR(objective(), best, 1e-9 * std::abs(best));
  core::Rng rng(1, 1);
  const std::vector<double> at(em->model().families[0]->parameters().begin(),
                               em->model().families[0]->parameters().end());
  const std::vector<double> alpha(em->model().membership->parameters().begin(),
                                  em->model().membership->parameters().end());
  for (int trial = 0; trial < 40; ++trial) {
    em->model().families[0]->set_parameters(at);
    em->model().membership->set_parameters(alpha);
    if (trial % 2 == 0) {
      test::perturb(*em->model().families[0], data.blocks[0], rng, 0.02);
    } else {
      auto moved = alpha;
      for (double& a : moved) a *= std::exp(0.05 * rng.normal());
      em->model().membership->set_parameters(moved);
    }
    EXPECT_LE(objective(), best + 1e-7);
  }
}

TEST(ExactEm, AFitSaysSoAndScoresItsRowsExactly) {
  const Dataset data = test::dataset({test::random_block(families::bernoulli_family, 80, 5, 0.1)});
  const Model model = fit(data, options(2));
  EXPECT_EQ(model.inference(), "exact");
  EXPECT_TRUE(model.summary().exact);
  double sum = 0;
  for (const RowScore& row : evaluate(model, data, {}).row) sum += row.log_likelihood;
  EXPECT_NEAR(model.summary().bound, sum, 1e-9 * std::abs(sum));
}

TEST(ExactEm, RefusesInWordsWhatWouldTakeTooLong) {
  const auto refusal = [](const Dataset& data, const FitOptions& o) -> std::string {
    try {
      const Model model = fit(data, o);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const Dataset answers =
      test::dataset({test::random_block(families::bernoulli_family, 80, 5, 0.1)});
  FitOptions o = options(3);
  o.limit = 1e-9;
  EXPECT_NE(refusal(answers, o).find("would take about"), std::string::npos);
  EXPECT_NE(refusal(answers, o).find("`limit`"), std::string::npos);
  const Dataset text = test::dataset({test::token_block("words", {{700, 900}, {3, 5}, {1, 1}})});
  EXPECT_NE(refusal(text, options(3)).find("too long"), std::string::npos);
  Dataset tempered = answers;
  tempered.blocks[0].weight.assign(tempered.blocks[0].cells(), 0.5F);
  EXPECT_NE(refusal(tempered, options(3)).find("whole numbers"), std::string::npos);
}

// Two answers that always go together: no row mixes, and the likelihood is highest at alpha = 0.
// One imagined row that does leaves a sum of 2 / (rows - 1) (tests/math/polya_test.cpp has the
// equation).
TEST(ExactEm, AlphaStaysOffZeroWhereNoRowMixes) {
  std::vector<std::vector<int>> codes;
  for (int row = 0; row < 100; ++row) codes.push_back({row % 2, row % 2});
  const Dataset data = test::dataset({test::level_block("bernoulli", codes, {2, 2})});
  FitOptions o = options(2);
  o.smoothing = 1e-9;
  o.tolerance = 1e-13;
  o.max_iterations = 2000;
  const Model fitted = fit(data, o);
  double sum = 0;
  for (const double a : fitted.prior()) sum += a;
  EXPECT_NEAR(sum, 2.0 / 99, 1e-4);
  o.alpha = "fixed:0.25";
  EXPECT_EQ(fit(data, o).prior()[0], 0.25);
}

}  // namespace
}  // namespace medley::engines
