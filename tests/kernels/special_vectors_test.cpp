// SPDX-License-Identifier: Apache-2.0
#include "kernels/special_vectors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/rng.hpp"
#include "kernels/lanes.hpp"
#include "kernels/reference.hpp"
#include "math/logs.hpp"
#include "math/special.hpp"
#include "support/on_every_target.hpp"

namespace medley::kernels {
namespace {

// Arguments from tiny to huge, log-uniform.
std::vector<double> arguments(std::size_t count, double lowest, double highest) {
  core::Rng rng(count, 11);
  std::vector<double> x;
  for (std::size_t i = 0; i < count; ++i) {
    x.push_back(std::exp(std::log(lowest) + rng.uniform() * std::log(highest / lowest)));
  }
  return x;
}

TEST(ExpDigamma, FloatIsWithinItsStatedErrorOfBoost) {
  for (const std::size_t count : {1U, 2U, 8U, 9U, 50U}) {
    std::vector<float> x;
    std::vector<double> exact;
    for (const double v : arguments(count, 0.05, 5000)) {
      x.push_back(static_cast<float>(v));
      exact.push_back(static_cast<double>(x.back()));
    }
    std::vector<float> out(padded(count), -1.0F);
    exp_digamma(x.data(), count, padded(count), out.data());
    const auto expected = reference::exp_digamma(exact);
    for (std::size_t k = 0; k < count; ++k)
      EXPECT_NEAR(out[k], expected[k], 1e-5 * expected[k] + 1e-30) << exact[k];
    for (std::size_t k = count; k < padded(count); ++k) EXPECT_EQ(out[k], 0.0F);
  }
}

TEST(ExpDigamma, DoubleAgreesWithBoost) {
  for (const std::size_t count : {1U, 3U, 8U, 20U}) {
    const auto x = arguments(count, 0.01, 1e6);
    std::vector<double> out(padded(count), -1.0);
    exp_digamma(x.data(), count, padded(count), out.data());
    const auto expected = reference::exp_digamma(x);
    for (std::size_t k = 0; k < count; ++k)
      EXPECT_NEAR(out[k], expected[k], 1e-12 * expected[k] + 1e-300);
  }
}

TEST(ExpDigamma, TinyArgumentsUnderflowToZeroNotToNan) {
  const std::vector<float> x = {1e-6F, 2.0F, 1e-3F};
  std::vector<float> out(padded(3));
  exp_digamma(x.data(), 3, padded(3), out.data());
  EXPECT_EQ(out[0], 0.0F);
  EXPECT_EQ(out[1], 1.0F);
  EXPECT_EQ(out[2], 0.0F);
}

TEST(DigammaLogGamma, AgreesWithBoostAndLibm) {
  for (const std::size_t count : {1U, 5U, 8U, 13U}) {
    const auto x = arguments(count, 1e-6, 1e6);
    std::vector<double> psi(count);
    const double total = digamma_log_gamma(x.data(), count, psi.data());
    double expected = 0, size = 1;
    for (std::size_t k = 0; k < count; ++k) {
      expected += math::log_gamma(x[k]);
      size += std::abs(math::log_gamma(x[k]));
      EXPECT_NEAR(psi[k], math::digamma(x[k]), 1e-13 * (1 + std::abs(psi[k]))) << x[k];
    }
    EXPECT_NEAR(total, expected, 1e-13 * size);
  }
}

// They come from damaged files; steps of 1 would never lead from there to the series.
TEST(DigammaLogGamma, LargeNegativeArgumentsEnd) {
  const std::vector<double> x = {-1e300, -1e15, 1.0};
  std::vector<double> psi(3);
  (void)digamma_log_gamma(x.data(), 3, psi.data());
  EXPECT_NEAR(psi[2], math::digamma(1.0), 1e-13);
  const std::vector<float> narrow = {-1e30F, 2.0F};
  std::vector<float> out(padded(2));
  exp_digamma(narrow.data(), 2, padded(2), out.data());
}

TEST(ExpScaled, LargestIsOneAndPaddingIsZero) {
  const std::vector<double> x = {-1000.0, -1001.0, -2000.0};
  std::vector<double> out(padded(3), -1.0);
  EXPECT_EQ(exp_scaled(x.data(), 3, padded(3), out.data()), -1000.0);
  EXPECT_EQ(out[0], 1.0);
  EXPECT_NEAR(out[1], std::exp(-1.0), 1e-15);
  EXPECT_EQ(out[2], 0.0);
  EXPECT_EQ(out[7], 0.0);
}

TEST(Largest, IsThatOfThePlainLoopOnEveryInstructionSet) {
  test::on_every_target([] {
    for (const std::size_t count : {1U, 2U, 7U, 8U, 9U, 16U, 33U, 100U}) {
      for (std::size_t at = 0; at < count; ++at) {
        std::vector<double> x(count, -5.0);
        x[at] = -4.0;
        EXPECT_EQ(largest(x.data(), count), -4.0) << at << " of " << count;
      }
    }
  });
}

TEST(Logs, AgreeWithLibmOnEveryInstructionSet) {
  test::on_every_target([] {
    for (const std::size_t count : {1U, 2U, 7U, 8U, 9U, 50U, 1000U}) {
      const auto x = arguments(count, 1e-300, 1e3);
      std::vector<double> out(count + 1, 5.0);
      logs(x.data(), count, out.data());
      for (std::size_t k = 0; k < count; ++k)
        EXPECT_NEAR(out[k], std::log(x[k]), 1e-15 * (1 + std::abs(std::log(x[k])))) << x[k];
      EXPECT_EQ(out[count], 5.0);  // nothing is written beyond the end
    }
  });
}

TEST(Logs, OfZeroIsMinusInfinityAndOfOneIsZero) {
  test::on_every_target([] {
    std::vector<double> x(9, 1.0);
    x[2] = x[8] = 0.0;
    logs(x.data(), x.size(), x.data());
    for (std::size_t k = 0; k < x.size(); ++k)
      EXPECT_EQ(x[k], k == 2 || k == 8 ? -std::numeric_limits<double>::infinity() : 0.0);
  });
}

TEST(Softmax, AgreesWithThePlainLoopOnEveryInstructionSet) {
  test::on_every_target([] {
    for (const std::size_t count : {1U, 2U, 7U, 8U, 9U, 50U, 1000U}) {
      core::Rng rng(count, 13);
      std::vector<double> x;
      for (std::size_t k = 0; k < count; ++k) x.push_back(-2000 + 100 * rng.uniform());
      if (count > 2) x[1] = -std::numeric_limits<double>::infinity();
      std::vector<double> expected = x;
      const double log_sum = math::softmax(expected);
      x.push_back(7.0);
      EXPECT_NEAR(softmax(x.data(), count), log_sum, 1e-12);
      for (std::size_t k = 0; k < count; ++k)
        EXPECT_NEAR(x[k], expected[k], 1e-13 * expected[k]) << k << " of " << count;
      EXPECT_EQ(x[count], 7.0);  // nothing is written beyond the end
    }
  });
}

}  // namespace
}  // namespace medley::kernels
