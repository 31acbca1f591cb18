// SPDX-License-Identifier: Apache-2.0
// Monte-Carlo EM on every family: close to exact EM, threads change no bit, a saved run goes on
// with the same bits, other seeds give other chains.
#include "engines/monte_carlo_em.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "engines/registry.hpp"
#include "engines/starts.hpp"
#include "medley/error.hpp"
#include "medley/fit.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

FitOptions options(std::size_t components, const char* inference) {
  FitOptions o;
  o.components = components;
  o.inference = inference;
  o.threads = 1;
  return o;
}

class SampledFamily : public testing::TestWithParam<const families::FamilyEntry*> {
 public:
  static constexpr std::size_t kComponents = 3;
  Dataset data = test::dataset({test::random_block(*GetParam(), 60, 3, 0.2),
                                test::random_block(families::categorical_family, 60, 4, 0.3)});
  const model::Inference& mode = *model::find_inference("monte-carlo");

  void SetUp() override {
    for (std::size_t row = 0; row < data.rows; ++row)
      data.row_weight.push_back(0.5 + static_cast<double>(row % 4));
  }
  [[nodiscard]] EmData prepared(std::size_t threads) const {
    EmData out = prepare(data, threads);
    out.own = engine_data(out, mode, options(kComponents, "monte-carlo"));
    return out;
  }
  [[nodiscard]] EmModel model() const {
    EmModel m = make_model(prepare(data, 1), memberships::mixed_membership, mode, kComponents);
    m.smoothing = 0.01;
    return m;
  }
  [[nodiscard]] std::vector<double> trace(std::size_t threads, std::uint64_t seed) const {
    const EmData em_data = prepared(threads);
    const auto em = make_engine(em_data, model(), seed);
    em->start_from(random_rows(data, kComponents, {1, 0}));
    std::vector<double> out;
    for (int i = 0; i < 8; ++i) out.push_back(em->iterate());
    for (const auto& family : em->model().families)
      out.insert(out.end(), family->parameters().begin(), family->parameters().end());
    for (const double v : em->model().membership->parameters()) out.push_back(v);
    return out;
  }
};

TEST_P(SampledFamily, ThreadsChangeNoBitAndSeedsDo) {
  const auto one = trace(1, 1);
  EXPECT_EQ(one, trace(2, 1));
  EXPECT_EQ(one, trace(3, 1));
  EXPECT_NE(one, trace(1, 2));
  for (const double v : one) EXPECT_TRUE(std::isfinite(v));
}

TEST_P(SampledFamily, SavedRunGoesOnWithTheSameBits) {
  const EmData em_data = prepared(1);
  const auto straight = make_engine(em_data, model(), 1), first = make_engine(em_data, model(), 1),
             second = make_engine(em_data, model(), 1);
  straight->start_from(random_rows(data, kComponents, {1, 0}));
  first->start_from(random_rows(data, kComponents, {1, 0}));
  for (int i = 0; i < 70; ++i) {  // beyond the burn-in
    straight->iterate();
    first->iterate();
  }
  core::TensorFile file;
  first->save(file, "run.");
  second->restore(core::parse_tensors(core::serialise_tensors(file), "memory"), "run.");
  for (int i = 0; i < 8; ++i) EXPECT_EQ(straight->iterate(), second->iterate());
}

INSTANTIATE_TEST_SUITE_P(Families, SampledFamily, testing::ValuesIn(families::registry()),
                         [](const auto& test) { return std::string(test.param->name); });

// Two profiles with a few items each: the likelihoods that both engines end with.
TEST(MonteCarloEm, ComesCloseToExactEm) {
  std::vector<std::vector<int>> codes;
  for (std::size_t i = 0; i < 800; ++i) {
    core::Rng rng(5, 1, i);
    const double theta = rng.uniform() < 0.3 ? rng.uniform() : (rng.uniform() < 0.5 ? 0.0 : 1.0);
    auto& row = codes.emplace_back();
    for (int j = 0; j < 8; ++j)
      row.push_back(rng.uniform() < (rng.uniform() < theta ? 0.9 : 0.15) ? 1 : 0);
  }
  const Dataset data =
      test::dataset({test::level_block("bernoulli", codes, std::vector<std::size_t>(8, 2))});
  const Model exact = fit(data, options(2, "exact"));
  const Model sampled = fit(data, options(2, "monte-carlo"));
  EXPECT_EQ(sampled.inference(), "monte-carlo");
  EXPECT_TRUE(sampled.summary().exact);
  EXPECT_TRUE(sampled.summary().warnings.empty());
  EXPECT_NEAR(sampled.summary().bound, exact.summary().bound, 1.0);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(sampled.sizes()[k], exact.sizes()[k], 0.03);
}

TEST(MonteCarloEm, RefusesTemperedBlocks) {
  Dataset data = test::dataset({test::random_block(families::bernoulli_family, 80, 5, 0.1)});
  data.blocks[0].weight.assign(data.blocks[0].cells(), 0.5F);
  EXPECT_THROW(static_cast<void>(fit(data, options(2, "monte-carlo"))), InputError);
}

}  // namespace
}  // namespace medley::engines
