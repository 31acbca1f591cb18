// SPDX-License-Identifier: Apache-2.0
// A small grade-of-membership model drawn forward, as it is told: alpha, tables, memberships,
// components, cells. Ragged categories, numbers and words; some cells are never observed, and the
// last person has words only. Written down here from the definition, but for the places where
// Family::parameters() has its numbers.
//
// From such draws a step that leaves the posterior in place can be told from one that does not: the
// draw before the step and after it have the same distribution, so that the mean of f(after) -
// f(before) is 0 for every f. Draws are independent, so that the mean has a known error.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "families/registry.hpp"
#include "kernels/lanes.hpp"
#include "samplers/gom_chain.hpp"
#include "support/toy.hpp"

namespace medley::samplers {

struct World {
  static constexpr std::size_t kPeople = 4, kComponents = 2, kWords = 4, kTokens = 3;
  static constexpr double kShape = 2, kRate = 2;  // of alpha_0
  static constexpr double kLevel = 0.8;           // imagined observations of a level
  static constexpr double kMean = 0.5, kKappa = 0.6, kNumber = 5, kSpread = 4;
  static constexpr double kEta = 3;  // of all words
  static inline const std::vector<std::size_t> kLevels = {3, 2, 4};

  GomState state;
  Dataset data;

  [[nodiscard]] double alpha0() const {
    return std::accumulate(state.alpha.begin(), state.alpha.end(), 0.0);
  }
};

inline GomOptions world_options(std::uint64_t seed) {
  GomOptions options;
  options.components = World::kComponents;
  options.priors = {{World::kLevel},
                    {World::kMean, World::kKappa, World::kNumber, World::kSpread},
                    {World::kEta}};
  options.alpha_prior = {World::kShape, World::kRate};
  options.seed = seed;
  return options;
}

inline std::vector<double> draw_dirichlet(const std::vector<double>& a, core::Rng& rng) {
  std::vector<double> out;
  for (const double shape : a) out.push_back(rng.gamma(shape));
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& x : out) x /= sum;
  return out;
}

inline std::size_t draw_one(const std::vector<double>& p, core::Rng& rng) {
  double left = rng.uniform();
  std::size_t k = 0;
  while (k + 1 < p.size() && (left -= p[k]) >= 0) ++k;
  return k;
}

inline bool observed(std::size_t person, std::size_t feature) {
  return person + 1 < World::kPeople && (person + 2 * feature) % 5 != 0;
}

// Where things stand in the tables: levels and words one row per slot, numbers four per feature,
// and after all of them the floor of each variance, too low to be met.
inline double& at(Tables& tables, std::size_t block, std::size_t row, std::size_t k) {
  return tables[block][row * kernels::padded(World::kComponents) + k];
}
inline double at(const Tables& tables, std::size_t block, std::size_t row, std::size_t k) {
  return tables[block][row * kernels::padded(World::kComponents) + k];
}

/// New cells given tables and components. Words are sorted, each with its component.
inline void draw_cells(World& world, core::Rng& rng) {
  constexpr std::size_t kFeatures = 3, kNumbers = 2;
  std::vector<std::vector<int>> codes(World::kPeople, std::vector<int>(kFeatures, -1));
  std::vector<std::vector<double>> numbers(World::kPeople,
                                           std::vector<double>(kNumbers, std::nan("")));
  std::vector<std::vector<int>> counts(World::kPeople, std::vector<int>(World::kWords, 0));
  std::size_t o = 0;
  for (std::size_t i = 0; i < World::kPeople; ++i) {
    for (std::size_t f = 0, first = 0; f < kFeatures; first += World::kLevels[f++]) {
      if (!observed(i, f)) continue;
      std::vector<double> p;
      for (std::size_t s = 0; s < World::kLevels[f]; ++s)
        p.push_back(at(world.state.tables, 0, first + s, world.state.z[o]));
      codes[i][f] = static_cast<int>(draw_one(p, rng));
      ++o;
    }
    for (std::size_t f = 0; f < kNumbers; ++f) {
      if (!observed(i, kFeatures + f)) continue;
      const double mean = at(world.state.tables, 1, 4 * f, world.state.z[o]);
      const double variance = at(world.state.tables, 1, 4 * f + 1, world.state.z[o]);
      numbers[i][f] = mean + std::sqrt(variance) * rng.normal();
      ++o;
    }
    std::vector<std::pair<std::size_t, std::uint16_t>> tokens;
    for (std::size_t t = 0; t < World::kTokens; ++t) {
      std::vector<double> p;
      for (std::size_t v = 0; v < World::kWords; ++v)
        p.push_back(at(world.state.tables, 2, v, world.state.z[o + t]));
      tokens.emplace_back(draw_one(p, rng), world.state.z[o + t]);
      ++counts[i][tokens.back().first];
    }
    // Of equal words the order of components must stay as it was drawn.
    for (std::size_t v = 0; v < World::kWords; ++v) {
      for (const auto& [word, k] : tokens) {
        if (word == v) world.state.z[o++] = k;
      }
    }
  }
  world.data =
      test::dataset({test::level_block(families::categorical_family.name, codes, World::kLevels),
                     test::real_block(families::gaussian_family.name, numbers, kNumbers),
                     test::token_block("words", counts)});
}

inline void draw_world_tables(Tables& tables, core::Rng& rng) {
  const std::size_t width = kernels::padded(World::kComponents);
  tables = {std::vector<double>(9 * width, 0.0), std::vector<double>(10 * width, 0.0),
            std::vector<double>(World::kWords * width, 0.0)};
  for (std::size_t k = 0; k < World::kComponents; ++k) {
    for (std::size_t f = 0, first = 0; f < 3; first += World::kLevels[f++]) {
      const auto p = draw_dirichlet(std::vector<double>(World::kLevels[f], World::kLevel), rng);
      for (std::size_t s = 0; s < p.size(); ++s) at(tables, 0, first + s, k) = p[s];
    }
    for (std::size_t f = 0; f < 2; ++f) {
      const double variance = World::kSpread / rng.gamma(World::kNumber);
      at(tables, 1, 4 * f + 1, k) = variance;
      at(tables, 1, 4 * f, k) = World::kMean + std::sqrt(variance / World::kKappa) * rng.normal();
      at(tables, 1, 8 + f, k) = 1e-12;
      at(tables, 1, 4 * f + 3, k) = 1;  // what the column is like on average: read by nobody here
    }
    const auto p =
        draw_dirichlet(std::vector<double>(World::kWords, World::kEta / World::kWords), rng);
    for (std::size_t v = 0; v < p.size(); ++v) at(tables, 2, v, k) = p[v];
  }
}

inline World draw_world(core::Rng& rng) {
  World world;
  const double alpha0 = rng.gamma(World::kShape) / World::kRate;
  world.state.alpha = draw_dirichlet(std::vector<double>(World::kComponents, 1.0), rng);
  for (double& a : world.state.alpha) a = std::max(a * alpha0, 1e-12);
  draw_world_tables(world.state.tables, rng);
  for (std::size_t i = 0; i < World::kPeople; ++i) {
    // Componentwise on the log scale: a small alpha has draws below the smallest double.
    std::vector<double> theta;
    for (const double a : world.state.alpha) theta.push_back(rng.log_gamma(a));
    const double most = *std::max_element(theta.begin(), theta.end());
    double sum = 0;
    for (double& t : theta) sum += t = std::exp(t - most);
    for (double& t : theta) t /= sum;
    std::size_t observations = World::kTokens;
    for (std::size_t f = 0; f < 5; ++f) observations += observed(i, f) ? 1 : 0;
    for (std::size_t o = 0; o < observations; ++o)
      world.state.z.push_back(static_cast<std::uint16_t>(draw_one(theta, rng)));
  }
  draw_cells(world, rng);
  return world;
}

/// Numbers that a wrong step would change: of alpha, of tables, of components, and of how they
/// hang together with each other and with the cells.
inline std::vector<double> features_of(const World& world) {
  const GomState& state = world.state;
  const double alpha0 = world.alpha0(), log_alpha0 = std::log(alpha0);
  const double xi = state.alpha[0] / alpha0;
  double clumps = 0, agree = 0, squares = 0, words = 0, first = 0, ones = 0, logs = 0;
  std::size_t o = 0;
  for (std::size_t i = 0; i < World::kPeople; ++i) {
    double n = 0, m = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      const Block& block = world.data.blocks[b];
      for (auto c = block.row_start[i]; c < block.row_start[i + 1]; ++c) {
        for (float copy = 0; copy < block.weight_of(c); ++copy, ++o) {
          const std::size_t k = state.z[o], slot = block.slot[c];
          n += k == 0 ? 1 : 0;
          m += 1;
          if (b == 0) agree += at(state.tables, 0, slot, k);
          if (b == 0 && slot == 0) ones += k == 0 ? 1 : 0;
          if (b == 2) words += at(state.tables, 2, slot, k);
          if (b != 1) continue;
          const double off = block.value[c] - at(state.tables, 1, 4 * slot, k);
          squares += std::min(9.0, off * off / at(state.tables, 1, 4 * slot + 1, k));
          first += k == 0 ? std::tanh(block.value[c]) : 0;
        }
      }
    }
    clumps += n * n + (m - n) * (m - n);
    first += 0.1 * n;
  }
  for (std::size_t k = 0; k < 2; ++k)
    logs += std::log(at(state.tables, 1, 1, k)) + std::log(at(state.tables, 1, 5, k));
  const double p = at(state.tables, 0, 0, 0), q = at(state.tables, 2, 1, 0);
  const double mean = std::tanh(at(state.tables, 1, 0, 0));
  return {log_alpha0,
          log_alpha0 * log_alpha0,
          alpha0,
          xi * xi,
          std::log(xi * (1 - xi)),
          clumps,
          clumps * log_alpha0,
          agree,
          squares,
          words,
          first,
          ones,
          logs,
          p * p,
          q,
          q * q,
          mean,
          mean * mean,
          ones * p,
          first * mean,
          xi * first,
          agree * clumps,
          xi * ones,
          logs * squares};
}

/// What is tested: makes a step from a world's state, whatever data it is shown.
using WorldStep = std::function<void(World& world, std::uint64_t seed)>;

/// The largest mean of f(after) - f(before) over all features, in its standard errors.
inline double invariance_z(std::size_t draws, const WorldStep& step) {
  core::Rng rng(5, 41);
  std::vector<double> sum, squares;
  for (std::size_t i = 0; i < draws; ++i) {
    World world = draw_world(rng);
    const std::vector<double> before = features_of(world);
    step(world, i);
    const std::vector<double> after = features_of(world);
    sum.resize(before.size());
    squares.resize(before.size());
    for (std::size_t f = 0; f < before.size(); ++f) {
      sum[f] += after[f] - before[f];
      squares[f] += (after[f] - before[f]) * (after[f] - before[f]);
    }
  }
  double worst = 0;
  for (std::size_t f = 0; f < sum.size(); ++f) {
    if (squares[f] > 0) worst = std::max(worst, std::abs(sum[f]) / std::sqrt(squares[f]));
  }
  return worst;
}

inline constexpr double kCredible = 5.0;    ///< a right step stays below
inline constexpr double kIncredible = 7.0;  ///< a wrong one must go beyond

}  // namespace medley::samplers
