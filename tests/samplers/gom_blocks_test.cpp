// SPDX-License-Identifier: Apache-2.0
// Every part of a sweep leaves the joint distribution in place, and Geweke's joint test of the
// whole ("Getting it right", 2004). The same checks see steps that are wrong on purpose, which are
// written down here.
#include <gtest/gtest.h>

#include "math/chain_diagnostics.hpp"
#include "model/row_chain.hpp"
#include "samplers/gom_world.hpp"
#include "support/quick.hpp"

namespace medley::samplers {
namespace {

constexpr std::size_t kDraws = 1800;

/// A step several times over: what is wrong with it shows the more.
WorldStep repeated(const WorldStep& step) {
  return [step](World& world, std::uint64_t seed) {
    for (std::uint64_t i = 0; i < 5; ++i) step(world, 5 * seed + i);
  };
}

/// Runs `part` on a chain that stands where the world does, and takes what it drew.
template <class Part>
WorldStep with_chain(Part part, const GomOptions& options = world_options(0)) {
  return [=](World& world, std::uint64_t seed) {
    GomOptions own = options;
    own.seed = seed;
    const GomModel model(world.data, own);
    GomChain chain(model, 0);
    chain.start(world.state);
    part(chain);
    world.state = {chain.alpha(), chain.tables(), chain.z()};
  };
}

TEST(GomBlocks, RowsLeaveTheJointInPlace) {
  EXPECT_LT(invariance_z(kDraws, with_chain([](GomChain& c) { c.draw_rows(1); })), kCredible);
}

TEST(GomBlocks, RowsOfTheNextSweepToo) {
  EXPECT_LT(invariance_z(kDraws, with_chain([](GomChain& c) {
                           c.sweep(false, 1);
                           c.draw_rows(1);
                         })),
            kCredible);
}

TEST(GomBlocks, TablesLeaveTheJointInPlace) {
  EXPECT_LT(invariance_z(kDraws, with_chain([](GomChain& c) { c.draw_tables(1); })), kCredible);
}

TEST(GomBlocks, AlphaLeavesTheJointInPlace) {
  EXPECT_LT(invariance_z(kDraws, with_chain([](GomChain& c) { c.draw_alpha(false); })), kCredible);
}

TEST(GomBlocks, SweepsLeaveTheJointInPlace) {
  EXPECT_LT(invariance_z(kDraws, with_chain([](GomChain& c) {
                           for (int i = 0; i < 4; ++i) c.sweep(false, 1);
                         })),
            kCredible);
}

// The moves of many observations at once, alone.
template <class Move>
WorldStep row_move(Move move) {
  return [=](World& world, std::uint64_t seed) {
    GomOptions options = world_options(seed);
    const GomModel model(world.data, options);
    GomChain chain(model, 0);
    chain.start(world.state);
    model::RowChain rows(chain.likelihoods(), world.state.alpha);
    core::Rng rng(seed, 99);
    for (std::size_t i = 0; i < model.people(); ++i) {
      const auto first = model.start()[i], size = model.start()[i + 1] - first;
      move(rows, model.code().subspan(first, size), rng,
           std::span(world.state.z).subspan(first, size));
    }
  };
}

TEST(GomBlocks, RenewingARowLeavesTheJointInPlace) {
  EXPECT_LT(invariance_z(kDraws, row_move([](model::RowChain& rows, auto cells, core::Rng& rng,
                                             auto z) { rows.renew(cells, rng, z); })),
            kCredible);
}

TEST(GomBlocks, RelabellingARowLeavesTheJointInPlace) {
  EXPECT_LT(invariance_z(kDraws, row_move([](model::RowChain& rows, auto cells, core::Rng& rng,
                                             auto z) { rows.relabel(cells, rng, z); })),
            kCredible);
}

// Geweke: by turns a sweep and new cells.
TEST(GomBlocks, ForwardAndByTurnsAreTheSame) {
  const std::size_t forward = test::quick() ? 3000 : 6000, turns = test::quick() ? 2200 : 4500;
  core::Rng rng(17, 23);
  math::Chains ahead, by_turns;  // per feature
  const auto keep = [](const World& world, math::Chains& draws) {
    const std::vector<double> now = features_of(world);
    draws.resize(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) draws[i].push_back(now[i]);
  };
  for (std::size_t i = 0; i < forward; ++i) keep(draw_world(rng), ahead);
  World world = draw_world(rng);
  const WorldStep step = with_chain([](GomChain& c) { c.sweep(false, 1); });
  for (std::size_t i = 0; i < turns; ++i) {
    step(world, i);
    draw_cells(world, rng);
    keep(world, by_turns);
  }
  for (std::size_t i = 0; i < ahead.size(); ++i) {
    const auto mean = [](const std::vector<double>& x) {
      return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
    };
    const double error = std::hypot(math::mcse_mean({ahead[i]}), math::mcse_mean({by_turns[i]}));
    EXPECT_NEAR(mean(ahead[i]), mean(by_turns[i]), 5.2 * error + 1e-12) << "feature " << i;
  }
}

// Wrong on purpose: the checks above have to see each of these.

double log_target(const World& world, const std::vector<double>& alpha) {
  const double alpha0 = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  double sum = (World::kShape - 1) * std::log(alpha0) - World::kRate * alpha0;
  std::size_t o = 0;
  for (std::size_t i = 0; i < World::kPeople; ++i) {
    std::vector<double> n(alpha.size(), 0.0);
    double m = 0;
    for (const Block& block : world.data.blocks) {
      for (auto c = block.row_start[i]; c < block.row_start[i + 1]; ++c)
        m += static_cast<double>(block.weight_of(c));
    }
    for (double left = m; left > 0; --left) ++n[world.state.z[o++]];
    for (std::size_t k = 0; k < n.size(); ++k)
      sum += std::lgamma(alpha[k] + n[k]) - std::lgamma(alpha[k]);
    sum += std::lgamma(alpha0) - std::lgamma(alpha0 + m);
  }
  return sum;
}

// A walk of alpha_0 on the log scale, with the factor that belongs to it or without.
WorldStep plain_alpha0(bool with_ratio) {
  return [=](World& world, std::uint64_t seed) {
    core::Rng rng(seed, 7);
    const double factor = std::exp(0.8 * rng.normal());
    std::vector<double> proposed = world.state.alpha;
    for (double& a : proposed) a *= factor;
    const double log_r = log_target(world, proposed) - log_target(world, world.state.alpha) +
                         (with_ratio ? std::log(factor) : 0.0);
    if (std::log(rng.uniform()) < log_r) world.state.alpha = proposed;
  };
}

WorldStep plain_xi(bool with_ratio) {
  return [=](World& world, std::uint64_t seed) {
    core::Rng rng(seed, 7);
    std::vector<double> proposed = world.state.alpha;
    for (double& a : proposed) a *= std::exp(0.8 * rng.normal());
    const double sum = std::accumulate(proposed.begin(), proposed.end(), 0.0);
    for (double& a : proposed) a *= world.alpha0() / sum;
    double log_r = log_target(world, proposed) - log_target(world, world.state.alpha);
    for (std::size_t k = 0; with_ratio && k < proposed.size(); ++k)
      log_r += std::log(proposed[k] / world.state.alpha[k]);
    if (std::log(rng.uniform()) < log_r) world.state.alpha = proposed;
  };
}

TEST(GomMistakes, AWalkOfAlphaWithoutItsProposalRatioIsSeen) {
  EXPECT_LT(invariance_z(kDraws, repeated(plain_alpha0(true))), kCredible);
  EXPECT_GT(invariance_z(kDraws, repeated(plain_alpha0(false))), kIncredible);
}

TEST(GomMistakes, AWalkOfXiWithoutItsProposalRatioIsSeen) {
  EXPECT_LT(invariance_z(kDraws, repeated(plain_xi(true))), kCredible);
  EXPECT_GT(invariance_z(kDraws, repeated(plain_xi(false))), kIncredible);
}

// Missing answers filled in as the column has them, and then taken for data.
TEST(GomMistakes, AMissingCellDrawnFromTheMarginalIsSeen) {
  const auto filled = [](World& world, std::uint64_t seed) {
    core::Rng rng(seed, 8);
    World whole = world;
    std::vector<std::vector<int>> codes(World::kPeople, std::vector<int>(3, -1));
    const Block& block = world.data.blocks[0];
    std::vector<std::uint16_t> z;
    std::vector<bool> real;
    std::size_t o = 0;
    for (std::size_t i = 0; i < World::kPeople; ++i) {
      auto c = block.row_start[i];
      for (std::size_t f = 0; f < 3; ++f) {
        real.push_back(observed(i, f));
        if (observed(i, f)) {
          codes[i][f] = static_cast<int>(block.slot[c++] - block.first_slot[f]);
          z.push_back(world.state.z[o++]);
        } else {
          codes[i][f] = 0;  // the commonest, say
          z.push_back(static_cast<std::uint16_t>(rng.below(2)));
        }
      }
      const Block& numbers = world.data.blocks[1];
      const std::size_t rest = numbers.row_start[i + 1] - numbers.row_start[i] + World::kTokens;
      for (std::size_t j = 0; j < rest; ++j) {
        z.push_back(world.state.z[o++]);
        real.push_back(true);
      }
    }
    whole.data.blocks[0] =
        test::level_block(families::categorical_family.name, codes, World::kLevels);
    whole.state.z = z;
    with_chain([](GomChain& chain) { chain.sweep(false, 1); })(whole, seed);
    world.state.alpha = whole.state.alpha;
    world.state.tables = whole.state.tables;
    world.state.z.clear();
    for (std::size_t i = 0; i < real.size(); ++i) {
      if (real[i]) world.state.z.push_back(whole.state.z[i]);
    }
  };
  EXPECT_GT(invariance_z(kDraws, filled), kIncredible);
}

// All observations of a person drawn from the counts before the first of them, instead of one after
// the other.
TEST(GomMistakes, ObservationsDrawnAllAtOnceAreSeen) {
  for (const bool at_once : {false, true}) {
    const WorldStep step = [at_once](World& world, std::uint64_t seed) {
      const GomModel model(world.data, world_options(seed));
      GomChain chain(model, 0);
      chain.start(world.state);
      core::Rng rng(seed, 9);
      for (std::size_t i = 0; i < model.people(); ++i) {
        std::vector<double> n = world.state.alpha;
        for (auto o = model.start()[i]; o < model.start()[i + 1]; ++o) n[world.state.z[o]] += 1;
        for (auto o = model.start()[i]; o < model.start()[i + 1]; ++o) {
          const std::size_t before = world.state.z[o];
          n[before] -= 1;
          const double* l = chain.likelihoods().of(model.code()[o]);
          const double sum = n[0] * l[0] + n[1] * l[1];
          const std::size_t after = draw_one({n[0] * l[0] / sum, n[1] * l[1] / sum}, rng);
          world.state.z[o] = static_cast<std::uint16_t>(after);
          n[at_once ? before : after] += 1;
        }
      }
    };
    const double z = invariance_z(kDraws, step);
    if (at_once) {
      EXPECT_GT(z, kIncredible);
    } else {
      EXPECT_LT(z, kCredible);
    }
  }
}

// Tables from a prior that is not the model's, one imagined answer too many.
TEST(GomMistakes, AnotherPriorIsSeen) {
  GomOptions options = world_options(0);
  options.priors[0] = {World::kLevel + 1};
  const auto tables = [](GomChain& chain) { chain.draw_tables(1); };
  EXPECT_GT(invariance_z(kDraws, with_chain(tables, options)), kIncredible);
  options = world_options(0);
  options.alpha_prior.rate *= 2;
  const auto alpha = [](GomChain& chain) { chain.draw_alpha(false); };
  EXPECT_GT(invariance_z(kDraws, with_chain(alpha, options)), kIncredible);
}

}  // namespace
}  // namespace medley::samplers
