// SPDX-License-Identifier: Apache-2.0
// Diagnostics of chains that anybody can make again, against numbers from ArviZ 0.23.
#include "math/chain_diagnostics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace medley::math {
namespace {

struct Recipe {
  std::uint64_t seed;
  std::size_t chains, draws;
  double memory;  ///< x <- memory x + uniform
  double step;    ///< added to each chain after the first
  double grid;    ///< above 0: whole numbers of that many to the unit, for ties
};

// Uniform numbers of a linear congruential generator that runs on from chain to chain.
Chains made(const Recipe& recipe) {
  std::uint64_t state = recipe.seed;
  Chains chains(recipe.chains);
  for (std::size_t c = 0; c < recipe.chains; ++c) {
    double x = 0;
    for (std::size_t t = 0; t < recipe.draws; ++t) {
      state = (1664525 * state + 1013904223) % (std::uint64_t{1} << 32);
      x = recipe.memory * x + static_cast<double>(state) / 4294967296.0;
      const double value = x + recipe.step * static_cast<double>(c);
      chains[c].push_back(recipe.grid > 0 ? std::floor(value * recipe.grid) : value);
    }
  }
  return chains;
}

// rhat bulk, rhat folded, ess bulk, tail, mean, of the 30 % quantile; mcse mean, 10 %, 50 %.
struct Reference {
  Recipe recipe;
  double value[9];
};

constexpr Reference kReferences[] = {
    {{1, 4, 100, 0.6, 0.0, 0.0},
     {1.0105116682134825, 1.003977289927235, 121.42430583253449, 157.80721101112204,
      120.43336456725545, 185.83457157008419, 0.032801361086167345, 0.06736956886136497,
      0.034794810030053247}},
    {{2, 3, 51, 0.9, 0.3, 0.0},
     {1.5250583055982623, 1.0051964942083826, 5.9395103246566476, 42.16709038309812,
      6.3459409529445283, 11.173486196991863, 0.59499015178076653, 0.97491880777576556,
      0.7278170664487571}},
    {{3, 2, 40, -0.5, 0.0, 0.0},
     {0.97772153477945201, 0.98634242538902273, 152.24719895935547, 87.998389045509512,
      152.24719895935547, 152.24719895935547, 0.025771443254109159, 0.05927500204315049,
      0.05134282232019971}},
    {{4, 4, 60, 0.5, 0.0, 3.0},
     {1.057959348955591, 1.0293926322627378, 64.147118316692314, 125.51617646928463,
      62.772679276029095, 81.958677559363238, 0.14140778777269741, 0, 0.5}},
    {{5, 1, 30, 0.95, 0.0, 0.0},
     {2.1276591902564306, 0.96849974994042742, 1.5828369361456445, 12.662468176336588,
      1.4801122570505878, 2.1647500801759287, 1.8990705031918365, 1.718947991820188,
      2.1747404916241568}},
    {{6, 2, 4, 0.1, 0.0, 0.0},
     {1.3381945563102509, 0.84022897889226145, 7.2247198959355483, 7.2247198959355483,
      7.2247198959355483, 7.2247198959355483, 0.1421746956744096, 0.04601655296282843,
      0.35658617416175548}},
};

TEST(ChainDiagnostics, EqualTheReference) {
  for (const Reference& reference : kReferences) {
    const Chains chains = made(reference.recipe);
    const double found[] = {
        rhat_bulk(chains), rhat_folded(chains),        ess_bulk(chains),
        ess_tail(chains),  ess_mean(chains),           ess_quantile(chains, 0.3),
        mcse_mean(chains), mcse_quantile(chains, 0.1), mcse_quantile(chains, 0.5)};
    for (std::size_t i = 0; i < 9; ++i)
      EXPECT_NEAR(found[i], reference.value[i], 1e-8 * std::max(1.0, reference.value[i]))
          << "seed " << reference.recipe.seed << ", number " << i;
    EXPECT_EQ(rhat(chains), std::max(found[0], found[1]));
  }
}

TEST(ChainDiagnostics, ChainsApartAreSeen) {
  EXPECT_LT(rhat(made({9, 4, 400, 0.3, 0, 0})), 1.02);
  EXPECT_GT(rhat(made({9, 4, 400, 0.3, 0.5, 0})), 1.3);
}

// The same centre, another spread: only the fold sees it.
TEST(ChainDiagnostics, ChainsOfAnotherSpreadAreSeen) {
  Chains chains = made({9, 4, 400, 0, 0, 0});
  for (double& x : chains[0]) x = 0.5 + 5 * (x - 0.5);
  EXPECT_LT(rhat_bulk(chains), 1.02);
  EXPECT_GT(rhat(chains), 1.1);
}

// Independent draws are worth themselves; draws repeated m times are worth an m-th.
TEST(ChainDiagnostics, EffectiveDraws) {
  const Chains once = made({11, 4, 1000, 0, 0, 0});
  EXPECT_NEAR(ess_bulk(once), 4000, 600);
  Chains repeated(4);
  for (std::size_t c = 0; c < 4; ++c) {
    for (const double x : once[c]) repeated[c].insert(repeated[c].end(), 5U, x);
  }
  EXPECT_NEAR(ess_bulk(repeated), 4000, 600);
}

TEST(ChainDiagnostics, DrawsThatTellNothing) {
  const Chains same(3, std::vector<double>(20, 7.0));
  EXPECT_TRUE(std::isnan(rhat(same)));
  EXPECT_EQ(ess_bulk(same), 60);
  EXPECT_EQ(mcse_mean(same), 0);
  EXPECT_TRUE(std::isnan(rhat(Chains(2, {1, 2, 3}))));
  EXPECT_TRUE(std::isnan(ess_tail({})));
  // Chains that each never move, at different places: as far from agreeing as can be.
  EXPECT_EQ(rhat({std::vector<double>(20, 1.0), std::vector<double>(20, 2.0)}),
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace medley::math
