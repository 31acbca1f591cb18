// SPDX-License-Identifier: Apache-2.0
// Geweke's joint test ("Getting it right", 2004): (concentration, labels, data) drawn forward from
// the model, and by turns of the chain (labels given data) and of drawing new data given labels,
// have the same distribution. The forward draws are written down here; new data come through the
// posterior draws of Conjugate and the families' own draws. A third of the cells is never observed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/chain_diagnostics.hpp"
#include "samplers/dp_chain.hpp"
#include "samplers/visits.hpp"
#include "support/quick.hpp"

namespace medley::samplers {
namespace {

constexpr std::size_t kRows = 6;
constexpr double kOne = 0.8, kZero = 1.4;                             // Beta of the yes/no answers
constexpr double kMean = 0.5, kKappa = 0.6, kShape = 5, kSpread = 4;  // of the numbers
constexpr double kCountShape = 3, kCountRate = 1.5;

struct State {
  double concentration = 1;
  Labels labels;
  Dataset data;
};

// The cells that are there at all; their values are drawn.
Dataset mask() {
  std::vector<std::vector<int>> codes;
  std::vector<std::vector<double>> numbers, counts;
  for (std::size_t i = 0; i < kRows; ++i) {
    codes.push_back({i % 3 == 0 ? -1 : 0, 0, i % 2 == 0 ? -1 : 0});
    numbers.push_back({i % 3 == 1 ? std::nan("") : 0.0, i == 4 ? std::nan("") : 0.0});
    counts.push_back({i % 4 == 2 ? std::nan("") : 0.0});
  }
  return test::dataset({test::level_block(families::bernoulli_family.name, codes, {2, 2, 2}),
                        test::real_block(families::gaussian_family.name, numbers, 2),
                        test::real_block(families::poisson_family.name, counts, 1)});
}

DpOptions options(bool with_prior) {
  DpOptions out;
  out.priors = {{kZero, kOne}, {kMean, kKappa, kShape, kSpread}, {kCountShape, kCountRate}};
  out.concentration = 0.9;
  out.search_rounds = 0;
  out.split_merges = 1;
  out.launch_scans = 1;
  if (with_prior) out.concentration_prior = GammaPrior{2, 2};
  return out;
}

double poisson(double rate, core::Rng& rng) {
  double count = -1, left = rate;
  for (; left > 0; ++count) left += std::log(rng.uniform());
  return count;
}

// The model as it is told: concentration, then labels row by row, then parameters, then cells.
State forward(bool with_prior, core::Rng& rng) {
  State state;
  state.concentration = with_prior ? rng.gamma(2) / 2 : 0.9;
  std::vector<double> size;
  for (std::size_t i = 0; i < kRows; ++i) {
    double left = rng.uniform() * (static_cast<double>(i) + state.concentration);
    std::size_t k = 0;
    while (k < size.size() && (left -= size[k]) >= 0) ++k;
    if (k == size.size()) size.push_back(0);
    ++size[k];
    state.labels.push_back(static_cast<std::uint32_t>(k));
  }
  state.data = mask();
  for (std::size_t k = 0; k < size.size(); ++k) {
    double p[3], mean[2], variance[2];
    for (double& x : p) {
      const double one = rng.gamma(kOne);
      x = one / (one + rng.gamma(kZero));
    }
    for (std::size_t f = 0; f < 2; ++f) {
      variance[f] = kSpread / rng.gamma(kShape);
      mean[f] = kMean + std::sqrt(variance[f] / kKappa) * rng.normal();
    }
    const double rate = rng.gamma(kCountShape) / kCountRate;
    for (std::size_t i = 0; i < kRows; ++i) {
      if (state.labels[i] != k) continue;
      Block &answers = state.data.blocks[0], &numbers = state.data.blocks[1],
            &counts = state.data.blocks[2];
      for (auto c = answers.row_start[i]; c < answers.row_start[i + 1]; ++c) {
        const std::uint32_t f = answers.slot[c] / 2;
        answers.slot[c] = 2 * f + (rng.uniform() < p[f] ? 1 : 0);
      }
      for (auto c = numbers.row_start[i]; c < numbers.row_start[i + 1]; ++c) {
        const std::size_t f = numbers.slot[c];
        numbers.value[c] = mean[f] + std::sqrt(variance[f]) * rng.normal();
      }
      for (auto c = counts.row_start[i]; c < counts.row_start[i + 1]; ++c)
        counts.value[c] = poisson(rate, rng);
    }
  }
  return state;
}

// New data given the labels: parameters given the old data, then cells given the parameters.
void redraw(const DpModel& model, const Labels& labels, core::Rng& rng, Dataset& data) {
  const std::size_t count = *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    Block& block = data.blocks[b];
    const families::Conjugate& prior = *model.priors()[b];
    const auto family = families::find(block.family)->make(block, count);
    const std::size_t width = family->padded(), rows = family->parameters().size() / width;
    std::vector<double> table(family->parameters().begin(), family->parameters().end());
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<double> statistics(prior.size(), 0.0), column(rows);
      for (std::size_t i = 0; i < kRows; ++i) {
        if (labels[i] == k) prior.add(block, i, statistics.data());
      }
      for (std::size_t r = 0; r < rows; ++r) column[r] = table[r * width + k];
      prior.draw(statistics.data(), rng, column);
      for (std::size_t r = 0; r < rows; ++r) table[r * width + k] = column[r];
    }
    family->set_parameters(table);
    family->prepare_draws();
    for (std::size_t i = 0; i < kRows; ++i) {
      for (auto c = block.row_start[i]; c < block.row_start[i + 1]; ++c) {
        const bool real = block.encoding == Encoding::real;
        const std::size_t feature = real ? block.slot[c] : block.slot[c] / 2;
        const families::Draw drawn = family->draw(feature, labels[i], rng);
        if (real) {
          block.value[c] = drawn.value;
        } else {
          block.slot[c] = drawn.slot;
        }
      }
    }
  }
}

// What is compared: of the partition, of the data, and of both together.
std::vector<double> features_of(const State& state) {
  const Labels& z = state.labels;
  double pairs = 0, alike = 0, near = 0, ones = 0, sum = 0, squares = 0, counts = 0;
  const Block &answers = state.data.blocks[0], &numbers = state.data.blocks[1];
  for (const std::uint32_t slot : answers.slot) ones += slot % 2;
  for (const double x : numbers.value) {
    sum += std::tanh(x);
    squares += std::tanh(x) * std::tanh(x);
  }
  for (const double x : state.data.blocks[2].value) counts += std::sqrt(x);
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double together = z[i] == z[j] ? 1 : 0;
      pairs += together;
      // The second answer and the last number of a row are (nearly) always there.
      const auto second = [&](std::size_t row) {
        const auto c = answers.row_start[row];
        return answers.slot[c] / 2 == 1 ? answers.slot[c] : answers.slot[c + 1];
      };
      alike += together * (second(i) == second(j) ? 1 : 0);
      const auto last = [&](std::size_t row) {
        return numbers.value[numbers.row_start[row + 1] - 1];
      };
      near += together * std::exp(-std::abs(last(i) - last(j)));
    }
  }
  const double k = 1 + *std::max_element(z.begin(), z.end());
  return {k,
          k * k,
          pairs,
          z[5] == z[0] ? 1.0 : 0.0,
          alike,
          near,
          ones,
          sum,
          squares,
          counts,
          ones * k,
          sum * pairs,
          std::log(state.concentration),
          k * std::log(state.concentration)};
}

// What goes wrong in the turns, on purpose.
enum class Mistake { none, concentration, marginal };

// By how many standard errors the two differ, in the feature where they differ most.
double worst_deviation(bool with_prior, Mistake mistake = Mistake::none) {
  const std::size_t draws = test::quick() ? 2500 : 5000;
  core::Rng rng(17, 23);
  math::Chains ahead, by_turns;  // per feature
  const auto keep = [](const State& state, math::Chains& chains) {
    const std::vector<double> now = features_of(state);
    chains.resize(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) chains[i].push_back(now[i]);
  };
  for (std::size_t i = 0; i < draws; ++i) keep(forward(with_prior, rng), ahead);
  State state = forward(with_prior, rng);
  for (std::size_t i = 0; i < draws; ++i) {
    DpOptions turn = options(with_prior);
    turn.seed = i;
    if (mistake == Mistake::concentration) turn.concentration = state.concentration = 1.3;
    const DpModel model(state.data, turn);
    DpChain chain(model, 0);
    chain.start(state.labels, state.concentration);
    chain.sweep();
    state.labels = chain.labels();
    state.concentration = chain.concentration();
    // New cells that do not know of their clusters.
    if (mistake == Mistake::marginal) std::ranges::fill(state.labels, 0);
    redraw(model, state.labels, rng, state.data);
    state.labels = chain.labels();
    keep(state, by_turns);
  }
  double worst = 0;
  for (std::size_t i = 0; i < ahead.size(); ++i) {
    const auto mean = [](const std::vector<double>& x) {
      double sum = 0;
      for (const double v : x) sum += v;
      return sum / static_cast<double>(x.size());
    };
    const double error = std::hypot(math::mcse_mean({ahead[i]}), math::mcse_mean({by_turns[i]}));
    worst = std::max(worst, std::abs(mean(ahead[i]) - mean(by_turns[i])) / (error + 1e-12));
  }
  return worst;
}

constexpr double kMost = 5.2;  // one in 5 million, each

TEST(DpGeweke, ForwardAndByTurnsAreTheSame) {
  EXPECT_LT(worst_deviation(false), kMost);
}

TEST(DpGeweke, ForwardAndByTurnsAreTheSameWithAPriorOfTheConcentration) {
  EXPECT_LT(worst_deviation(true), kMost);
}

// The test can fail.
TEST(DpGeweke, MistakesAreSeen) {
  EXPECT_GT(worst_deviation(false, Mistake::concentration), kMost);
  EXPECT_GT(worst_deviation(false, Mistake::marginal), kMost);
}

}  // namespace
}  // namespace medley::samplers
