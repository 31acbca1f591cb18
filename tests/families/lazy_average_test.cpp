// SPDX-License-Identifier: Apache-2.0
// The lazy average against the plain one, which multiplies every row at every step.
#include "families/lazy_average.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/rng.hpp"
#include "data/slot_index.hpp"
#include "families/registry.hpp"
#include "support/toy.hpp"

namespace medley::families {
namespace {

constexpr std::size_t kPadded = 8, kSlots = 60, kSteps = 200;

TEST(LazyAverage, EqualsThePlainAverageOverManySparseSteps) {
  const std::vector<std::uint32_t> first_slot = {0, 13, kSlots};
  LazyAverage lazy(first_slot, kPadded);
  std::vector<double> plain(kSlots * kPadded, 0.0), x(kPadded);
  core::Rng rng(4, 1);
  double least = 1;
  for (std::size_t step = 0; step < kSteps; ++step) {
    // Together far less than the least factor: it has to be multiplied out on the way.
    const double keep = 0.01 + 0.5 * rng.uniform(), add = 10 * rng.uniform();
    lazy.decay(keep);
    for (double& value : plain) value *= keep;
    for (std::size_t s = 0; s < kSlots; ++s) {
      if (rng.uniform() > 0.2) continue;
      for (double& value : x) value = rng.gamma(0.5);
      lazy.add(s < 13 ? 0 : 1, s, add, x.data());
      for (std::size_t k = 0; k < kPadded; ++k) plain[s * kPadded + k] += add * x[k];
    }
    least = std::min(least, lazy.factor());
  }
  EXPECT_LT(least, 1e-50);
  EXPECT_GE(least, 1e-100);
  const auto values = lazy.values();
  std::vector<double> total(2 * kPadded, 0.0);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    ASSERT_NEAR(values[i], plain[i], 1e-12 * plain[i]);
    total[(i / kPadded < 13 ? 0 : kPadded) + i % kPadded] += plain[i];
  }
  for (std::size_t i = 0; i < total.size(); ++i)
    ASSERT_NEAR(lazy.total(i / kPadded)[i % kPadded], total[i], 1e-12 * total[i]);
}

TEST(LazyAverage, KeepingNothingForgetsEverything) {
  const std::vector<std::uint32_t> first_slot = {0, 2};
  LazyAverage lazy(first_slot, kPadded);
  const std::vector<double> x(kPadded, 3.0);
  lazy.add(0, 1, 2.0, x.data());
  lazy.decay(0);
  lazy.add(0, 0, 1.0, x.data());
  EXPECT_EQ(lazy.values()[0], 3.0);
  EXPECT_EQ(lazy.values()[kPadded], 0.0);
  EXPECT_EQ(lazy.total(0)[0], 3.0);
}

// The probabilities of a family of words: of those a minibatch asks for, and of all in the end.
TEST(LazyAverage, WordsHaveTheProbabilitiesOfThePlainAverage) {
  constexpr std::size_t kWords = 40, kComponents = 3;
  core::Rng rng(8, 2);
  const auto random_counts = [&](std::size_t rows, double present) {
    std::vector<std::vector<int>> counts(rows, std::vector<int>(kWords, 0));
    for (auto& row : counts) {
      for (int& count : row)
        count = rng.uniform() < present ? 1 + static_cast<int>(rng.below(3)) : 0;
    }
    return test::token_block("words", counts);
  };
  for (const Smoothing& smoothing :
       {Smoothing(0.05), Smoothing(0.05, 2), Smoothing(0.05, 0, true)}) {
    const Block all = random_counts(30, 0.5);
    const auto family = tokens_family.make(all, kComponents);
    family->observe(all, data::transpose(all), {});
    const std::size_t width = family->padded();
    std::vector<double> share(kWords, 0.0), plain(kWords * width, 0.0);
    double cells = 0;
    for (std::size_t c = 0; c < all.cells(); ++c) {
      share[all.slot[c]] += static_cast<double>(all.weight_of(c));
      cells += static_cast<double>(all.weight_of(c));
    }
    const auto probability = [&](std::size_t word, std::size_t k) {
      double sum = 0;
      for (std::size_t w = 0; w < kWords; ++w)
        sum += plain[w * width + k] + 0.05 + smoothing.population * share[w] / cells;
      return (plain[word * width + k] + 0.05 + smoothing.population * share[word] / cells) / sum;
    };
    family->begin_average();
    for (std::size_t step = 0; step < kSteps; ++step) {
      const Block batch = random_counts(4, 0.05);
      const data::Columns columns = data::transpose(batch);
      std::vector<double> vectors(4 * width, 0.0);
      for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t k = 0; k < kComponents; ++k) vectors[row * width + k] = rng.uniform();
      }
      const std::vector<double> ones(batch.cells(), 1.0);
      family->prepare_for(columns, true);
      if (step > 0) {
        for (const std::uint32_t word : batch.slot) {
          for (std::size_t k = 0; k < kComponents; ++k)
            ASSERT_NEAR(family->parameters()[word * width + k], probability(word, k), 1e-12);
        }
      }
      family->blend(0.7, 2.0, columns,
                    family->collect(columns, batch, {vectors.data(), ones.data(), false, {}}));
      family->maximise_average(smoothing);
      for (double& value : plain) value *= 0.7;
      for (std::size_t row = 0; row < 4; ++row) {
        for (std::uint64_t c = batch.row_start[row]; c < batch.row_start[row + 1]; ++c) {
          for (std::size_t k = 0; k < kComponents; ++k)
            plain[batch.slot[c] * width + k] += 2.0 * vectors[row * width + k];
        }
      }
    }
    family->end_average();
    double mass = 0;
    for (std::size_t word = 0; word < kWords; ++word) {
      for (std::size_t k = 0; k < kComponents; ++k)
        ASSERT_NEAR(family->parameters()[word * width + k], probability(word, k), 1e-12);
      mass += plain[word * width] + 0.05;
    }
    ASSERT_EQ(family->strengths().empty(), !smoothing.posterior);
    if (smoothing.posterior) {
      EXPECT_NEAR(family->strengths()[0], mass, 1e-12 * mass);
    }
  }
}

}  // namespace
}  // namespace medley::families
