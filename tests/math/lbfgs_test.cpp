// SPDX-License-Identifier: Apache-2.0
#include "math/optimise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace medley::math {
namespace {

using In = std::span<const double>;
using Out = std::span<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// 1/2 (x - c)'A(x - c) - 3 with A = diag(scale) + 11', c_i = i: positive definite, minimum -3 at c.
struct Quadratic {
  std::vector<double> scale;
  double operator()(In x, Out gradient) const {
    double sum = 0, value = -3;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] - static_cast<double>(i);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double off = x[i] - static_cast<double>(i);
      gradient[i] = scale[i] * off + sum;
      value += 0.5 * off * gradient[i];
    }
    return value;
  }
};

// sum_i 100 (x_i+1 - x_i^2)^2 + (1 - x_i)^2; minimum 0 where every x is 1.
double rosenbrock(In x, Out gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  double value = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double bend = x[i + 1] - x[i] * x[i], off = 1 - x[i];
    value += 100 * bend * bend + off * off;
    gradient[i] += -400 * x[i] * bend - 2 * off;
    gradient[i + 1] += 200 * bend;
  }
  return value;
}

TEST(Lbfgs, FindsTheMinimumOfAQuadratic) {
  std::vector<double> x(8, 50.0);
  const Quadratic f = {{1, 2, 4, 8, 16, 32, 64, 1000}};
  const LbfgsResult result = minimise(f, x, {100, 1e-8, 10});
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.why, LbfgsEnd::small_gradient);
  EXPECT_NEAR(result.value, -3, 1e-10);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], static_cast<double>(i), 1e-6);
}

TEST(Lbfgs, FindsTheMinimumOfRosenbrocksFunction) {
  for (const std::size_t size : {2U, 20U}) {
    std::vector<double> x(size, 1.0);
    for (std::size_t i = 0; i < size; i += 2) x[i] = -1.2;
    const LbfgsResult result = minimise(rosenbrock, x, {1000, 1e-8, 10});
    EXPECT_TRUE(result.converged) << size;
    EXPECT_LT(result.iterations, 200U) << size;
    for (const double v : x) EXPECT_NEAR(v, 1, 1e-6) << size;
  }
}

// Pairs are what makes it better than going down the gradient.
TEST(Lbfgs, OnePairIsEnoughAndTenAreFaster) {
  std::vector<double> one(20, -1.0), ten(20, -1.0);
  const LbfgsResult slow = minimise(rosenbrock, one, {5000, 1e-8, 1});
  const LbfgsResult fast = minimise(rosenbrock, ten, {5000, 1e-8, 10});
  EXPECT_TRUE(slow.converged);
  EXPECT_TRUE(fast.converged);
  EXPECT_LT(fast.iterations, slow.iterations);
}

// sum_i x_i - log x_i for x > 0, infinite elsewhere, is least at 1; its first steps reach outside.
TEST(Lbfgs, StaysInsideABarrier) {
  std::size_t outside = 0;
  const auto f = [&](In x, Out gradient) {
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double steep = static_cast<double>(i + 1);
      if (!(x[i] > 0)) {
        ++outside;
        return kInfinity;
      }
      value += steep * (x[i] - std::log(x[i]));
      gradient[i] = steep * (1 - 1 / x[i]);
    }
    return value;
  };
  std::vector<double> x = {1e-3, 0.5, 7, 1e-2};
  const LbfgsResult result = minimise(f, x, {500, 1e-8, 5});
  EXPECT_TRUE(result.converged);
  EXPECT_GT(outside, 0U);
  for (const double v : x) EXPECT_NEAR(v, 1, 1e-6);
}

TEST(Lbfgs, NotANumberIsTooFarAsWell) {
  const auto f = [](In x, Out gradient) {
    gradient[0] = 0.5 / std::sqrt(x[0]) * (x[0] - 1) + std::sqrt(x[0]);
    return std::sqrt(x[0]) * (x[0] - 1);  // not a number below 0; least at 1/3
  };
  std::vector<double> x = {2};
  EXPECT_TRUE(minimise(f, x, {100, 1e-10, 3}).converged);
  EXPECT_NEAR(x[0], 1.0 / 3, 1e-8);
}

// 100 x^2, but beyond -0.2, where the first step leads, a low value without a gradient.
TEST(Lbfgs, AGradientThatIsNoNumberIsTooFarAsWell) {
  for (const double beyond : {-5.0, -kInfinity}) {
    std::size_t steps_beyond = 0;
    const auto f = [&](In x, Out gradient) {
      gradient[0] = 200 * x[0];
      if (x[0] >= -0.2) return 100 * x[0] * x[0];
      ++steps_beyond;
      gradient[0] = std::nan("");
      return beyond;
    };
    std::vector<double> x = {0.5};
    EXPECT_TRUE(minimise(f, x).converged);
    EXPECT_GT(steps_beyond, 0U);
    EXPECT_NEAR(x[0], 0, 1e-6);
  }
}

TEST(Lbfgs, AtTheOptimumNothingMoves) {
  std::vector<double> x(6, 1.0);
  const LbfgsResult result = minimise(rosenbrock, x);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 0U);
  EXPECT_EQ(x, std::vector<double>(6, 1.0));
}

TEST(Lbfgs, AWrongGradientDoesNoHarm) {
  for (const int wrong : {0, 1, 2}) {
    const auto f = [wrong](In x, Out gradient) {
      const double value = rosenbrock(x, gradient);
      if (wrong == 0) {
        for (double& g : gradient) g = -g;  // uphill
      } else if (wrong == 1) {
        std::swap(gradient[0], gradient[1]);
      } else {
        for (std::size_t i = 0; i < x.size(); ++i) gradient[i] = std::sin(1e3 * x[i]);
      }
      return value;
    };
    std::vector<double> x = {-1.2, 1, 0.3}, gradient(3);
    const double start = rosenbrock(x, gradient);
    const LbfgsResult result = minimise(f, x, {50, 1e-9, 10});
    EXPECT_LE(result.value, start) << wrong;
    EXPECT_EQ(result.value, rosenbrock(x, gradient)) << wrong;
    if (wrong == 0) {
      EXPECT_EQ(result.why, LbfgsEnd::no_lower_value);
      EXPECT_EQ(x, (std::vector<double>{-1.2, 1, 0.3}));
    }
  }
}

TEST(Lbfgs, AStartThatIsNotFiniteIsLeftAlone) {
  const auto f = [](In, Out gradient) {
    gradient[0] = 1;
    return kInfinity;
  };
  std::vector<double> x = {4};
  const LbfgsResult result = minimise(f, x);
  EXPECT_EQ(result.why, LbfgsEnd::not_finite);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(x[0], 4);
}

TEST(Lbfgs, StopsAfterAsManyIterationsAsAllowed) {
  std::vector<double> x = {-1.2, 1};
  const LbfgsResult result = minimise(rosenbrock, x, {3, 1e-12, 10});
  EXPECT_EQ(result.iterations, 3U);
  EXPECT_EQ(result.why, LbfgsEnd::iterations);
  EXPECT_FALSE(result.converged);
}

TEST(Lbfgs, AFunctionWithoutMinimumEndsFinite) {
  const auto f = [](In x, Out gradient) {
    gradient[0] = -1;
    return -x[0];
  };
  std::vector<double> x = {0};
  const LbfgsResult result = minimise(f, x, {20, 1e-9, 10});
  EXPECT_TRUE(std::isfinite(x[0]));
  EXPECT_LT(result.value, 0);
}

}  // namespace
}  // namespace medley::math
