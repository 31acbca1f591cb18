// SPDX-License-Identifier: Apache-2.0
// Every move of the chain leaves p(z | x) in place: long runs visit assignments as often as the sum
// over all of them says, and the weights of fresh draws average to p(x).
#include "model/row_chain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/all_assignments.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::model {
namespace {

constexpr std::size_t kComponents = 3;

class Chain : public testing::Test {
 public:
  Dataset data = test::dataset({test::level_block("categorical", {{0, 1, 2, 0}}, {3, 2, 3, 2})});
  data::DistinctCells cells = data::distinct_cells(data);
  std::vector<double> alpha = {0.05, 0.3, 0.1};
  engines::EmModel fitted =
      engines::make_model(engines::prepare(data, 1), memberships::mixed_membership,
                          model::usual_inference(memberships::mixed_membership), kComponents);
  std::vector<const families::Family*> families;
  test::AllAssignments truth;

  void SetUp() override {
    test::randomise(fitted, data, 4);
    fitted.membership->set_parameters(alpha);
    for (auto& family : fitted.families) {
      family->prepare(true);
      families.push_back(family.get());
    }
    truth = test::all_assignments(test::plain_rows(fitted, data, 0), alpha);
  }
  [[nodiscard]] CellTable table() const {
    return {{families, fitted.membership.get(), fitted.inference}, cells};
  }

  // Shares of time that each observation spends in each component, under a move.
  template <class Move>
  void expect_truth(Move&& move, int steps) {
    const CellTable likelihoods = table();
    RowChain chain(likelihoods, alpha);
    const std::vector<std::uint32_t>& codes = cells.code[0];
    std::vector<std::uint16_t> z(codes.size());
    core::Rng rng(7, 1);
    chain.draw(codes, rng, z);
    std::vector<std::vector<double>> seen(codes.size(), std::vector<double>(kComponents, 0.0));
    for (int step = 0; step < steps; ++step) {
      move(chain, codes, rng, z);
      for (std::size_t o = 0; o < z.size(); ++o) seen[o][z[o]] += 1.0 / steps;
    }
    for (std::size_t o = 0; o < z.size(); ++o) {
      for (std::size_t k = 0; k < kComponents; ++k)
        EXPECT_NEAR(seen[o][k], truth.responsibility[o][k], 0.02) << o << ' ' << k;
    }
  }
};

TEST_F(Chain, SweepsVisitAssignmentsAsOftenAsTheyAreProbable) {
  std::vector<double> sums(cells.data.rows * 8, 0.0);
  constexpr int kSteps = 60'000;
  expect_truth([&](RowChain& chain, const auto& codes, core::Rng& rng,
                   auto& z) { chain.sweep(codes, rng, z, 1.0 / kSteps, 8, sums.data()); },
               kSteps);
  for (std::size_t o = 0; o < cells.code[0].size(); ++o) {
    for (std::size_t k = 0; k < kComponents; ++k)
      EXPECT_NEAR(sums[cells.code[0][o] * 8 + k], truth.responsibility[o][k], 0.02);
  }
}

TEST_F(Chain, RenewingTheWholeRowVisitsThemSo) {
  expect_truth([](RowChain& chain, const auto& codes, core::Rng& rng,
                  auto& z) { chain.renew(codes, rng, z); },
               30'000);
}

TEST_F(Chain, RelabellingKeepsWhatSweepsDo) {
  std::vector<double> sums(cells.data.rows * 8, 0.0);
  expect_truth(
      [&](RowChain& chain, const auto& codes, core::Rng& rng, auto& z) {
        for (int i = 0; i < 3; ++i) chain.relabel(codes, rng, z);
        chain.sweep(codes, rng, z, 1, 8, sums.data());
      },
      30'000);
}

TEST_F(Chain, WeightsOfFreshDrawsAverageToTheLikelihood) {
  const CellTable likelihoods = table();
  RowChain chain(likelihoods, alpha);
  const std::vector<std::uint32_t>& codes = cells.code[0];
  std::vector<std::uint16_t> z(codes.size());
  core::Rng rng(3, 1);
  double scale = 0, sum = 0;
  for (const std::uint32_t code : codes) scale += likelihoods.log_scale[code];
  constexpr int kDraws = 20'000;
  for (int i = 0; i < kDraws; ++i) sum += std::exp(chain.draw(codes, rng, z)) / kDraws;
  EXPECT_NEAR(std::log(sum) + scale, truth.log_p, 0.02);
}

TEST_F(Chain, CountsAreThoseOfTheComponents) {
  const CellTable likelihoods = table();
  RowChain chain(likelihoods, alpha);
  std::vector<std::uint16_t> z(4);
  std::vector<double> sums(cells.data.rows * 8, 0.0), want(kComponents, 0.0);
  core::Rng rng(3, 1);
  chain.draw(cells.code[0], rng, z);
  chain.sweep(cells.code[0], rng, z, 2, 8, sums.data());
  for (const auto k : z) want[k] += 1;
  EXPECT_TRUE(std::ranges::equal(chain.counts(), want));
  double total = 0;
  for (const double s : sums) total += s;
  EXPECT_NEAR(total, 8, 1e-12);
}

}  // namespace
}  // namespace medley::model
