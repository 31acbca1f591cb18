// SPDX-License-Identifier: Apache-2.0
// Chains visit every partition as often as the exact posterior says, found by adding up all
// partitions.
#include "samplers/dp_chain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "math/chain_diagnostics.hpp"
#include "medley/error.hpp"
#include "samplers/visits.hpp"

namespace medley::samplers {
namespace {

constexpr std::size_t kDraws = 2500, kThin = 3;

double chain_p(const Small& problem, const Exact& exact, std::size_t split_merges,
               std::size_t draws = kDraws) {
  DpOptions options = problem.options();
  options.split_merges = split_merges;
  options.launch_scans = 1;
  const DpModel model(problem.data, options);
  DpChain chain(model, 0);
  chain.start(model.rows());
  for (int i = 0; i < 50; ++i) chain.sweep();
  return visits_p(exact, draws, [&]() -> const Labels& {
    for (std::size_t i = 0; i < kThin; ++i) chain.sweep();
    return chain.labels();
  });
}

class EveryFamily : public testing::TestWithParam<const families::FamilyEntry*> {};

TEST_P(EveryFamily, VisitsAreThePosterior) {
  const Small problem = one_block(*GetParam(), 6);
  const Exact exact = problem.exact();
  EXPECT_GT(chain_p(problem, exact, 0), kImpossible);
  EXPECT_GT(chain_p(problem, exact, 2), kImpossible);
}

std::vector<const families::FamilyEntry*> conjugate_families() {
  std::vector<const families::FamilyEntry*> all;
  for (const families::FamilyEntry* entry : families::registry()) {
    if (entry->conjugate != nullptr) all.push_back(entry);
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Families, EveryFamily, testing::ValuesIn(conjugate_families()),
                         [](const auto& param) { return std::string(param.param->name); });

TEST(DpChain, VisitsAreThePosteriorOfMixedBlocks) {
  const Small problem = mixed_blocks(7);
  const Exact exact = problem.exact();
  EXPECT_GT(chain_p(problem, exact, 0, 3000), kImpossible);
  EXPECT_GT(chain_p(problem, exact, 2, 3000), kImpossible);
}

// Rows of one pattern share their weights while none moves.
TEST(DpChain, VisitsAreThePosteriorOfEqualRows) {
  const Small problem = equal_rows();
  const Exact exact = problem.exact();
  EXPECT_GT(chain_p(problem, exact, 0, 5000), kImpossible);
  EXPECT_GT(chain_p(problem, exact, 2, 5000), kImpossible);
}

// A row of weight w is w rows; the exact posterior is that of the rows written out.
TEST(DpChain, VisitsWithWeightsAreThoseOfRowsWrittenOut) {
  const std::string name = families::bernoulli_family.name;
  const Small written(
      {test::level_block(name, {{0, 1}, {0, 1}, {0, 1}, {1, -1}, {1, 0}, {1, 0}}, {2, 2})});
  Small weighted = written;
  weighted.data =
      test::dataset({test::level_block(name, {{0, 1}, {1, 1}, {1, -1}, {1, 0}}, {2, 2})});
  weighted.data.row_weight = {3, 0, 1, 2};
  EXPECT_GT(chain_p(weighted, written.exact(), 1), kImpossible);
  weighted.data.row_weight = {3, 1, 1, 1};  // as many rows, but not these
  EXPECT_LT(chain_p(weighted, written.exact(), 1), kImpossible);
  const DpModel model(weighted.data, weighted.options());
  EXPECT_EQ(model.rows(), 6U);
  EXPECT_EQ(model.origin(2), 0U);
  EXPECT_EQ(model.origin(3), 1U);
}

// The test can fail: a missing cell that is filled in and scored gives other visits.
TEST(DpChain, AMissingCellThatIsScoredWouldBeSeen) {
  const std::vector<std::vector<int>> codes = {{0, 0, -1}, {0, 0, -1}, {1, 1, 1},
                                               {1, -1, 1}, {0, 1, -1}, {-1, 0, 0}};
  std::vector<std::vector<int>> filled = codes;
  for (auto& row : filled) {
    for (int& code : row) code = code < 0 ? 0 : code;
  }
  const std::string name = families::bernoulli_family.name;
  const Small missing({test::level_block(name, codes, {2, 2, 2})});
  const Small scored({test::level_block(name, filled, {2, 2, 2})});
  EXPECT_GT(chain_p(missing, missing.exact(), 1), kImpossible);
  EXPECT_LT(chain_p(scored, missing.exact(), 1), kImpossible);
}

TEST(DpChain, TheJointIsThatOfTheLabels) {
  const Small problem = mixed_blocks(7);
  const DpModel model(problem.data, problem.options());
  DpChain chain(model, 0);
  for (int i = 0; i < 20; ++i) {
    chain.sweep();
    EXPECT_NEAR(
        chain.log_joint(),
        exact_log_joint(problem.data, problem.priors, problem.concentration, chain.labels()),
        1e-10);
  }
}

TEST(DpChain, KIsTheNumberOfDistinctLabels) {
  const Small problem = one_block(families::categorical_family, 30);
  const DpModel model(problem.data, problem.options());
  DpChain chain(model, 0);
  chain.start(30);
  EXPECT_EQ(chain.clusters(), 30U);
  for (int i = 0; i < 200; ++i) {
    chain.sweep();
    Labels sorted = chain.labels();
    std::sort(sorted.begin(), sorted.end());
    const auto distinct = std::unique(sorted.begin(), sorted.end()) - sorted.begin();
    EXPECT_EQ(chain.clusters(), static_cast<std::size_t>(distinct));
  }
  chain.start(5);
  EXPECT_LE(chain.clusters(), 5U);
  EXPECT_GE(chain.clusters(), 3U);
  chain.start(1);
  EXPECT_EQ(chain.clusters(), 1U);
}

// With a gamma prior: p(partition, a) added up over a grid of a.
TEST(DpChain, VisitsWithAPriorOfTheConcentration) {
  Small problem = one_block(families::bernoulli_family, 6);
  Exact exact = problem.exact();
  std::fill(exact.p.begin(), exact.p.end(), 0.0);
  double mean = 0, total = 0;
  for (double y = -14; y < 5; y += 0.02) {
    const double a = std::exp(y);  // prior Gamma(2, 1.5); da = a dy
    for (std::size_t i = 0; i < exact.p.size(); ++i) {
      const double k = 1 + *std::max_element(exact.partition[i].begin(), exact.partition[i].end());
      const auto crp = [&](double c) {
        return k * std::log(c) + std::lgamma(c) - std::lgamma(c + 6);
      };
      const double p = std::exp(exact.log_joint[i] - exact.log_evidence + crp(a) -
                                crp(problem.concentration) + 2 * std::log(a) - 1.5 * a);
      exact.p[i] += p;
      mean += p * a;
      total += p;
    }
  }
  for (double& p : exact.p) p /= total;
  mean /= total;
  DpOptions options = problem.options();
  options.concentration_prior = GammaPrior{2, 1.5};
  const DpModel model(problem.data, options);
  DpChain chain(model, 0);
  math::Chains drawn(1);
  EXPECT_GT(visits_p(exact, 4000,
                     [&]() -> const Labels& {
                       for (int i = 0; i < 4; ++i) chain.sweep();
                       drawn[0].push_back(chain.concentration());
                       return chain.labels();
                     }),
            kImpossible);
  double average = 0;
  for (const double a : drawn[0]) average += a / 4000;
  EXPECT_NEAR(average, mean, 5.5 * math::mcse_mean(drawn));
}

TEST(DpChain, GoesOnWithTheSameDrawsAfterItWasSaved) {
  const Small problem = mixed_blocks(8);
  DpOptions options = problem.options();
  options.concentration_prior = GammaPrior{1, 1};
  options.search_rounds = 10;
  const DpModel model(problem.data, options);
  DpChain whole(model, 3), first(model, 3), second(model, 3);
  for (int i = 0; i < 30; ++i) whole.sweep();
  for (int i = 0; i < 17; ++i) first.sweep();
  core::TensorFile file;
  first.save(file, "x.");
  second.restore(core::parse_tensors(core::serialise_tensors(file), "memory"), "x.");
  for (int i = 0; i < 13; ++i) second.sweep();
  EXPECT_EQ(second.labels(), whole.labels());
  EXPECT_EQ(second.concentration(), whole.concentration());
  EXPECT_EQ(second.log_joint(), whole.log_joint());
  DpChain other(model, 4);
  for (int i = 0; i < 30; ++i) other.sweep();
  EXPECT_NE(other.concentration(), whole.concentration());
}

TEST(DpChain, AStateThatIsNoneIsRefused) {
  const Small problem = mixed_blocks(8);
  const DpModel model(problem.data, problem.options());
  DpChain chain(model, 0);
  const auto changed = [&](const std::string& name, const auto& values) {
    core::TensorFile file;
    chain.save(file, "x.");
    file.tensors.erase("x." + name);
    file.put("x." + name, values);
    return file;
  };
  using Integers = std::vector<std::int64_t>;
  EXPECT_THROW(chain.restore(changed("labels", Integers(7, 0)), "x."), InputError);
  EXPECT_THROW(chain.restore(changed("labels", Integers(8, 8)), "x."), InputError);
  EXPECT_THROW(chain.restore(changed("labels", Integers(8, -1)), "x."), InputError);
  EXPECT_THROW(chain.restore(changed("sweep", Integers(1, -1)), "x."), InputError);
  EXPECT_THROW(chain.restore(changed("concentration", std::vector<double>{0.0}), "x."), InputError);
  EXPECT_THROW(chain.restore(core::TensorFile(), "x."), InputError);
}

}  // namespace
}  // namespace medley::samplers
