// SPDX-License-Identifier: Apache-2.0
#include "math/logs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <vector>

namespace medley::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> numbers() {
  const auto size = *rc::gen::inRange<std::size_t>(1, 12);
  std::vector<double> x;
  for (const int v : *rc::gen::container<std::vector<int>>(size, rc::gen::inRange(-9000, 9000)))
    x.push_back(v / 1000.0);
  return x;
}

TEST(LogSumExp, OfNothingIsMinusInfinity) {
  EXPECT_EQ(log_sum_exp(std::vector<double>{}), -kInfinity);
  EXPECT_EQ(log_sum_exp(std::vector<double>{-kInfinity, -kInfinity}), -kInfinity);
}

TEST(LogSumExp, KnownValues) {
  EXPECT_EQ(log_sum_exp(std::vector<double>{3.25}), 3.25);
  EXPECT_NEAR(log_sum_exp(std::vector<double>{0, 0, 0}), std::log(3.0), 1e-15);
  EXPECT_NEAR(log_sum_exp(std::vector<double>{std::log(0.25), std::log(0.5), -kInfinity}),
              std::log(0.75), 1e-15);
}

TEST(LogSumExp, NeitherOverflowsNorUnderflows) {
  EXPECT_NEAR(log_sum_exp(std::vector<double>{1e5, 1e5}), 1e5 + std::log(2.0), 1e-10);
  EXPECT_NEAR(log_sum_exp(std::vector<double>{-1e5, -1e5}), -1e5 + std::log(2.0), 1e-10);
  EXPECT_EQ(log_sum_exp(std::vector<double>{-1e5, 1e5}), 1e5);
}

RC_GTEST_PROP(LogSumExp, EqualsTheLogOfThePlainSumWhereThatIsPossible, ()) {
  const auto x = numbers();
  double sum = 0;
  for (const double v : x) sum += std::exp(v);
  RC_ASSERT(std::abs(log_sum_exp(x) - std::log(sum)) < 1e-13);
}

RC_GTEST_PROP(LogSumExp, AShiftOfAllShiftsTheResult, ()) {
  auto x = numbers();
  const double before = log_sum_exp(x);
  const double shift = *rc::gen::inRange(-700000, 700000);
  for (double& v : x) v += shift;
  RC_ASSERT(std::abs(log_sum_exp(x) - before - shift) < 1e-9);
}

RC_GTEST_PROP(Softmax, SumsToOneKeepsRatiosAndReturnsTheLogSum, ()) {
  const auto x = numbers();
  auto p = x;
  const double log_sum = softmax(p);
  RC_ASSERT(std::abs(log_sum - log_sum_exp(x)) < 1e-14);
  RC_ASSERT(std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1) < 1e-14);
  for (std::size_t k = 0; k < x.size(); ++k)
    RC_ASSERT(std::abs(p[k] - std::exp(x[k] - log_sum)) < 1e-14);
}

TEST(Softmax, AnImpossibleEntryGetsNothing) {
  std::vector<double> x = {-kInfinity, -1e300, 7};
  EXPECT_EQ(softmax(x), 7.0);
  EXPECT_EQ(x, (std::vector<double>{0, 0, 1}));
}

}  // namespace
}  // namespace medley::math
