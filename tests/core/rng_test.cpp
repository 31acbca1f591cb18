// SPDX-License-Identifier: Apache-2.0
// Random numbers: a saved seed must give the same model for ever, so first outputs are pinned to
// constants that come from Random123's published answers and a separate program; then the
// distributions, by moments and chi-square tests that fail at p < 1e-6.
#include "core/rng.hpp"
#include "support/quick.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

namespace medley::core {
namespace {

constexpr double kLeastP = 1e-6;
constexpr double kMostDeviations = 4.9;  // two-sided p of 1e-6

std::vector<std::uint32_t> first(Rng rng, std::size_t count) {
  std::vector<std::uint32_t> bits(count);
  for (auto& b : bits) b = rng.bits();
  return bits;
}

// Philox 4x32-10 written from its definition (Salmon et al. 2011).
std::vector<std::uint32_t> philox(std::vector<std::uint32_t> c, std::vector<std::uint32_t> k) {
  for (int round = 0; round < 10; ++round) {
    if (round > 0) {
      k[0] += 0x9E3779B9U;
      k[1] += 0xBB67AE85U;
    }
    const std::uint64_t a = std::uint64_t{0xD2511F53U} * c[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32U) ^ c[1] ^ k[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32U) ^ c[3] ^ k[1], static_cast<std::uint32_t>(a)};
  }
  return c;
}

using Bits = std::vector<std::uint32_t>;

// The three known answers of Random123 1.14 (tests/kat_vectors, philox4x32 10).
TEST(Rng, ThePlainPhiloxGivesThePublishedAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (Bits{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}));
  EXPECT_EQ(philox(Bits(4, ~0U), Bits(2, ~0U)),
            (Bits{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}));
  EXPECT_EQ(
      philox({0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}, {0xa4093822U, 0x299f31d0U}),
      (Bits{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}));
}

TEST(Rng, FirstOutputsNeverChange) {
  EXPECT_EQ(first(Rng(0, 0, 0), 8), (Bits{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U,
                                          0xf8e4cca4U, 0x5cb200dbU, 0xb1a574ebU, 0x097eff67U}));
  EXPECT_EQ(first(Rng(1, 0x101, 7), 4), (Bits{0x13f1b100U, 0x1aa93ad2U, 0xb4223afdU, 0x0f695bb8U}));
  EXPECT_EQ(first(Rng(0x0123456789abcdefU, 0xfedcba9876543210U, 0x1122334455667788U), 4),
            (Bits{0xc44e75bbU, 0x3a484108U, 0x86e896c4U, 0xe8eb6219U}));
  Rng rng(1, 2, 3);
  EXPECT_EQ(rng.uniform(), 0x1.c8be51415aa2bp-2);
  EXPECT_EQ(rng.uniform(), 0x1.d301c980952cep-3);
}

TEST(Rng, EveryBlockIsPhiloxOfItsCounter) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto bits = first(Rng(seed << 30U, seed << 3U, seed << 29U), 12);
    for (std::uint32_t block = 0; block < 3; ++block) {
      const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
      const auto expected = philox({block, low(seed << 29U), low(seed >> 3U), low(seed << 3U)},
                                   {low(seed << 30U), low(seed >> 2U)});
      EXPECT_EQ(Bits(bits.begin() + 4 * block, bits.begin() + 4 * block + 4), expected);
    }
  }
}

TEST(Rng, SeedPurposeAndIndexGiveStreamsOfTheirOwn) {
  const std::uint64_t keys[] = {0, 1, 2, 255, 256, 1ULL << 32U, 1ULL << 33U, 1ULL << 63U};
  std::set<Bits> seed, purpose, index;
  for (const std::uint64_t key : keys) {
    seed.insert(first(Rng(key, 3, 4), 4));
    purpose.insert(first(Rng(3, key, 4), 4));
    index.insert(first(Rng(3, 4, key), 4));
  }
  EXPECT_EQ(seed.size(), std::size(keys));
  EXPECT_EQ(purpose.size(), std::size(keys));
  EXPECT_EQ(index.size(), std::size(keys));
}

TEST(Rng, NeighbouringStreamsAreNotCorrelated) {
  constexpr std::size_t kDraws = 100'000;
  double sum = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    sum += (Rng(5, 1, i).uniform() - 0.5) * (Rng(5, 1, i + 1).uniform() - 0.5);
  }
  EXPECT_LT(std::abs(sum) / std::sqrt(static_cast<double>(kDraws) / 144), kMostDeviations);
}

// p-value of a chi-square test over 100 equally likely cells of the distribution function `cdf`.
double chi_square_p(const std::vector<double>& draws, const std::function<double(double)>& cdf) {
  constexpr std::size_t kCells = 100;
  std::vector<double> count(kCells, 0.0);
  for (const double x : draws) {
    const double u = cdf(x);
    ++count[std::min(static_cast<std::size_t>(u * kCells), kCells - 1)];
  }
  const double expected = static_cast<double>(draws.size()) / kCells;
  double statistic = 0;
  for (const double c : count) statistic += (c - expected) * (c - expected) / expected;
  return boost::math::gamma_q((kCells - 1) / 2.0, statistic / 2);
}

// Standardised distance of the mean of the draws from `mean`.
double deviations(const std::vector<double>& draws, double mean, double variance) {
  double sum = 0;
  for (const double x : draws) sum += x - mean;
  return std::abs(sum) / std::sqrt(static_cast<double>(draws.size()) * variance);
}

std::vector<double> squares_about(const std::vector<double>& draws, double mean) {
  std::vector<double> result;
  for (const double x : draws) result.push_back((x - mean) * (x - mean));
  return result;
}

template <class Draw>
std::vector<double> many(std::uint64_t purpose, const Draw& draw) {
  Rng rng(2024, purpose);
  std::vector<double> draws(test::quick() ? 60'000 : 200'000);
  for (double& x : draws) x = draw(rng);
  return draws;
}

TEST(Rng, UniformIsUniformInTheOpenInterval) {
  const auto draws = many(1, [](Rng& rng) { return rng.uniform(); });
  for (const double x : draws) ASSERT_TRUE(x > 0 && x < 1);
  EXPECT_LT(deviations(draws, 0.5, 1.0 / 12), kMostDeviations);
  EXPECT_LT(deviations(squares_about(draws, 0.5), 1.0 / 12, 1.0 / 180), kMostDeviations);
  EXPECT_GT(chi_square_p(draws, [](double x) { return x; }), kLeastP);
}

TEST(Rng, BelowIsUniformAndInRange) {
  for (const std::size_t n : {1U, 3U, 100U}) {
    const auto draws = many(2, [n](Rng& rng) { return static_cast<double>(rng.below(n)); });
    for (const double x : draws) ASSERT_LT(x, static_cast<double>(n));
    if (n == 100) {
      EXPECT_GT(chi_square_p(draws, [](double x) { return (x + 0.5) / 100; }), kLeastP);
    }
  }
}

TEST(Rng, NormalHasTheMomentsAndShapeOfANormal) {
  const auto draws = many(3, [](Rng& rng) { return rng.normal(); });
  EXPECT_LT(deviations(draws, 0, 1), kMostDeviations);
  EXPECT_LT(deviations(squares_about(draws, 0), 1, 2), kMostDeviations);
  EXPECT_GT(chi_square_p(draws, [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }),
            kLeastP);
}

TEST(Rng, GammaHasTheMomentsAndShapeOfAGamma) {
  for (const double shape : {0.05, 0.3, 1.0, 2.5, 60.0}) {
    const auto draws = many(4, [shape](Rng& rng) { return rng.gamma(shape); });
    for (const double x : draws) ASSERT_TRUE(x >= 0 && std::isfinite(x)) << shape;
    EXPECT_LT(deviations(draws, shape, shape), kMostDeviations) << shape;
    EXPECT_LT(deviations(squares_about(draws, shape), shape, 2 * shape * shape + 6 * shape),
              kMostDeviations)
        << shape;
    EXPECT_GT(chi_square_p(draws, [shape](double x) { return boost::math::gamma_p(shape, x); }),
              kLeastP)
        << shape;
  }
}

// The test of the tests: chi_square_p sees a small departure.
TEST(Rng, TheChiSquareTestSeesAWrongDistribution) {
  const auto draws = many(5, [](Rng& rng) { return rng.gamma(2.5); });
  EXPECT_LT(chi_square_p(draws, [](double x) { return boost::math::gamma_p(2.6, x); }), kLeastP);
}

}  // namespace
}  // namespace medley::core
