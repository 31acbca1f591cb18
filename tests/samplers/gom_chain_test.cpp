// SPDX-License-Identifier: Apache-2.0
// Chains visit every assignment of components as often as the exact posterior says, found by adding
// up all of them.
#include "samplers/gom_chain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "math/chain_diagnostics.hpp"
#include "medley/error.hpp"
#include "samplers/gom_truth.hpp"
#include "support/chi_square.hpp"

namespace medley::samplers {
namespace {

constexpr double kImpossible = 1e-6;
constexpr std::size_t kDraws = 3000, kThin = 6;

/// How likely visits as far from p as the chain's are.
double visits_p(const GomTruth& truth, const std::vector<double>& p, const GomOptions& options,
                const Dataset& data) {
  const GomModel model(data, options);
  GomChain chain(model, 0);
  std::vector<double> count(p.size(), 0.0);
  for (int i = 0; i < 50; ++i) chain.sweep(true, 1);
  for (std::size_t i = 0; i < kDraws; ++i) {
    for (std::size_t j = 0; j < kThin; ++j) chain.sweep(false, 1);
    ++count[truth.index(chain.z())];
  }
  return test::chi_square_p(count, p);
}

/// Three persons; about eight observations, a third of the cells missing.
GomTruth few_cells(const families::FamilyEntry& entry, std::uint64_t seed) {
  const bool words = entry.encoding == Encoding::tokens;
  Block block = test::random_block(entry, words ? 3 : 2, seed, words ? 0.6 : 0.3);
  return GomTruth({block}, 2);
}

class EveryFamilyOfGom : public testing::TestWithParam<const families::FamilyEntry*> {};

TEST_P(EveryFamilyOfGom, VisitsAreThePosterior) {
  const GomTruth truth = few_cells(*GetParam(), 3);
  ASSERT_GE(truth.observations(), 4U);
  ASSERT_LE(truth.observations(), 11U);
  GomOptions options = truth.options();
  options.alpha = {0.7, 0.4};
  EXPECT_GT(visits_p(truth, truth.posterior(options.alpha), options, truth.data), kImpossible);
}

std::vector<const families::FamilyEntry*> conjugate_families() {
  std::vector<const families::FamilyEntry*> all;
  for (const families::FamilyEntry* entry : families::registry()) {
    if (entry->conjugate != nullptr) all.push_back(entry);
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Families, EveryFamilyOfGom, testing::ValuesIn(conjugate_families()),
                         [](const auto& param) { return std::string(param.param->name); });

const std::vector<std::vector<int>> kCodes = {{0, 1, -1}, {2, -1, 1}, {0, 0, 1}};
const std::vector<std::vector<int>> kFilled = {{0, 1, 0}, {2, 0, 1}, {0, 0, 1}};

Block answers(const std::vector<std::vector<int>>& codes) {
  return test::level_block(families::categorical_family.name, codes, {3, 2, 2});
}

TEST(GomChain, VisitsAreThePosteriorOfThreeComponents) {
  const GomTruth truth({answers(kCodes)}, 3);
  GomOptions options = truth.options();
  options.alpha = {0.1, 0.3, 0.6};
  EXPECT_GT(visits_p(truth, truth.posterior(options.alpha), options, truth.data), kImpossible);
}

// The test can fail: another alpha has other visits.
TEST(GomChain, AnotherAlphaWouldBeSeen) {
  const GomTruth truth({answers(kCodes)}, 2);
  GomOptions options = truth.options();
  options.alpha = {0.7, 0.4};
  EXPECT_LT(visits_p(truth, truth.posterior({0.4, 0.4}), options, truth.data), kImpossible);
}

// Cells that are filled in and counted, where those that were observed are looked at.
TEST(GomChain, AMissingCellThatIsCountedWouldBeSeen) {
  const GomTruth truth({answers(kCodes)}, 2), filled({answers(kFilled)}, 2);
  GomOptions options = truth.options();
  options.alpha = {0.7, 0.4};
  const std::vector<double> p = truth.posterior(options.alpha), all = filled.posterior({0.7, 0.4});
  // Where the observed cells are among all: the third of person 0 and the second of person 1 go.
  std::vector<double> some(p.size(), 0.0);
  for (std::size_t at = 0; at < all.size(); ++at) {
    std::vector<std::uint16_t> z;
    for (std::size_t o = 0; o < 9; ++o) {
      if (o != 2 && o != 4) z.push_back(static_cast<std::uint16_t>((at >> (8 - o)) & 1U));
    }
    some[truth.index(z)] += all[at];
  }
  EXPECT_GT(visits_p(truth, p, options, truth.data), kImpossible);
  EXPECT_LT(visits_p(truth, some, options, truth.data), kImpossible);
}

// With priors of alpha_0 and xi: p(z, alpha) added up over a grid of log alpha_0 and logit xi.
TEST(GomChain, VisitsWithAPriorOfAlpha) {
  const GomTruth truth({answers({{0, 1, -1}, {2, -1, 1}, {0, 0, -1}})}, 2);
  GomOptions options = truth.options();
  options.alpha_prior = {2, 1.5};
  const std::vector<double> marginal = truth.log_marginals();
  std::vector<double> p(marginal.size(), 0.0);
  double mean = 0, mean_xi = 0, total = 0;
  for (double y = -9; y < 3.5; y += 0.25) {
    for (double x = -12; x < 12; x += 0.5) {
      const double alpha0 = std::exp(y), xi = 1 / (1 + std::exp(-x));
      const double weight = 2 * y - 1.5 * alpha0 + std::log(xi) + std::log(1 - xi);
      const std::vector<double> prior = truth.log_priors({alpha0 * xi, alpha0 * (1 - xi)});
      for (std::size_t i = 0; i < p.size(); ++i) {
        const double joint = std::exp(marginal[i] - marginal[0] + prior[i] + weight);
        p[i] += joint;
        mean += joint * alpha0;
        mean_xi += joint * xi * xi;
        total += joint;
      }
    }
  }
  for (double& each : p) each /= total;
  const GomModel model(truth.data, options);
  GomChain chain(model, 0);
  math::Chains alpha0(1), xi(1);
  std::vector<double> count(p.size(), 0.0);
  for (int i = 0; i < 200; ++i) chain.sweep(true, 1);
  for (std::size_t i = 0; i < kDraws; ++i) {
    for (std::size_t j = 0; j < kThin; ++j) chain.sweep(false, 1);
    ++count[truth.index(chain.z())];
    alpha0[0].push_back(chain.alpha0());
    xi[0].push_back(std::pow(chain.alpha()[0] / chain.alpha0(), 2));
  }
  EXPECT_GT(test::chi_square_p(count, p), kImpossible);
  const auto average = [](const math::Chains& draws) {
    double sum = 0;
    for (const double x : draws[0]) sum += x / static_cast<double>(kDraws);
    return sum;
  };
  EXPECT_NEAR(average(alpha0), mean / total, 5 * math::mcse_mean(alpha0));
  EXPECT_NEAR(average(xi), mean_xi / total, 5 * math::mcse_mean(xi));
}

/// Rows enough for several pieces of work.
Dataset many_rows() {
  std::vector<Block> blocks;
  for (const families::FamilyEntry* entry :
       {&families::bernoulli_family, &families::gaussian_family, &families::tokens_family})
    blocks.push_back(test::random_block(*entry, 700, 9, 0.4));
  return test::dataset(std::move(blocks));
}

void expect_same(const GomChain& one, const GomChain& other) {
  EXPECT_EQ(one.z(), other.z());
  EXPECT_EQ(one.alpha(), other.alpha());
  EXPECT_EQ(one.tables(), other.tables());
}

TEST(GomChain, ThreadsChangeNothing) {
  const Dataset data = many_rows();
  GomOptions options;
  options.components = 3;
  const GomModel model(data, options);
  GomChain one(model, 0), two(model, 0);
  std::vector<double> of_one(model.cell_code().size()), of_two(of_one);
  for (int i = 0; i < 5; ++i) {
    one.sweep(true, 1);
    two.sweep(true, 2);
    EXPECT_EQ(one.look(of_one, 1), two.look(of_two, 2));
  }
  expect_same(one, two);
  EXPECT_EQ(of_one, of_two);
  GomChain other(model, 1);
  EXPECT_NE(other.z(), GomChain(model, 0).z());
}

TEST(GomChain, GoesOnWithTheSameDrawsAfterItWasSaved) {
  const Dataset data = many_rows();
  GomOptions options;
  options.components = 3;
  const GomModel model(data, options);
  GomChain whole(model, 3), first(model, 3), second(model, 3);
  for (int i = 0; i < 9; ++i) whole.sweep(i < 6, 1);
  for (int i = 0; i < 4; ++i) first.sweep(true, 1);
  core::TensorFile file;
  first.save(file, "x.");
  second.restore(core::parse_tensors(core::serialise_tensors(file), "memory"), "x.");
  for (int i = 4; i < 9; ++i) second.sweep(i < 6, 1);
  expect_same(whole, second);
  EXPECT_EQ(whole.sweeps(), second.sweeps());
}

TEST(GomChain, AStateThatIsNoneIsRefused) {
  const Dataset data = many_rows();
  const GomModel model(data, {});
  GomChain chain(model, 0);
  const auto changed = [&](const std::string& name, const auto& values) {
    core::TensorFile file;
    chain.save(file, "x.");
    file.tensors.erase("x." + name);
    file.put("x." + name, values);
    return file;
  };
  using Integers = std::vector<std::int64_t>;
  using Doubles = std::vector<double>;
  EXPECT_THROW(chain.restore(changed("z", Integers(7, 0)), "x."), InputError);
  EXPECT_THROW(chain.restore(changed("z", Integers(chain.z().size(), 2)), "x."), InputError);
  EXPECT_THROW(chain.restore(changed("z", Integers(chain.z().size(), -1)), "x."), InputError);
  EXPECT_THROW(chain.restore(changed("sweep", Integers(1, -1)), "x."), InputError);
  EXPECT_THROW(chain.restore(changed("alpha", Doubles{0.0, 1.0}), "x."), InputError);
  EXPECT_THROW(chain.restore(changed("xi", Doubles{-1.0, 1.0}), "x."), InputError);
  EXPECT_THROW(chain.restore(changed("table0", Doubles(80, -1.0)), "x."), InputError);
  EXPECT_THROW(chain.restore(core::TensorFile(), "x."), InputError);
}

// log P_o at memberships that hardly vary: with alpha large theta is alpha / alpha_0.
TEST(GomChain, TheConditionalLikelihoodIsThatOfTheMixture) {
  const Dataset data = many_rows();
  GomOptions options;
  options.alpha = {3e9, 1e9};
  const GomModel model(data, options);
  GomChain chain(model, 0);
  std::vector<double> p(model.cell_code().size());
  const double sum = chain.look(p, 1);
  Families families = model.make_families();
  double want = 0;
  for (std::size_t b = 0; b < families.size(); ++b) {
    families[b]->set_parameters(chain.tables()[b]);
    families[b]->prepare(true);
    const std::size_t width = families[b]->padded();
    const Block& block = data.blocks[b];
    for (std::size_t i = 0; i < data.rows; ++i) {
      std::vector<double> logs((block.row_start[i + 1] - block.row_start[i]) * width);
      families[b]->log_rows(block, i, logs.data());
      for (auto c = block.row_start[i], at = std::uint64_t{0}; c < block.row_start[i + 1];
           ++c, at += width)
        want += static_cast<double>(block.weight_of(c)) *
                std::log(0.75 * std::exp(logs[at]) + 0.25 * std::exp(logs[at + 1]));
    }
  }
  EXPECT_NEAR(sum, want, 1e-4 * std::abs(want));
}

TEST(GomChain, BeginsWhereItIsTold) {
  const Dataset data = many_rows();
  const GomModel model(data, {});
  GomChain there(model, 0), here(model, 1);
  for (int i = 0; i < 3; ++i) there.sweep(true, 1);
  here.start({there.alpha(), there.tables(), there.z()});
  expect_same(here, there);
  here.start({there.alpha(), there.tables(), {}});
  EXPECT_EQ(here.tables(), there.tables());
  EXPECT_NE(here.z(), there.z());
  EXPECT_THROW(here.start({{1.0}, there.tables(), {}}), InputError);
  EXPECT_THROW(here.start({there.alpha(), {}, {}}), InputError);
  EXPECT_THROW(here.start({there.alpha(), there.tables(), {0, 1}}), InputError);
}

}  // namespace
}  // namespace medley::samplers
