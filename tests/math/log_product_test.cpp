// SPDX-License-Identifier: Apache-2.0
#include "math/logs.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/rng.hpp"

namespace medley::math {
namespace {

TEST(LogProduct, IsTheSumOfLogarithms) {
  core::Rng rng(1, 2);
  for (const double spread : {0.5, 30.0, 300.0}) {
    LogProduct product;
    double sum = 0;
    for (int i = 0; i < 1000; ++i) {
      const double log = spread * (rng.uniform() - 0.7);
      const double weight = i % 10 == 0 ? 3 : 1;
      product.add(std::exp(log), weight);
      sum += weight * log;
      ASSERT_NEAR(product.log(), sum, 1e-10 * (1 + std::abs(sum)));
    }
  }
}

TEST(LogProduct, NeitherEndOfADoubleIsReached) {
  for (const double x : {1e-300, 1e-140, 1e140, 1e300}) {
    LogProduct product;
    for (int i = 0; i < 50; ++i) product.add(x);
    EXPECT_NEAR(product.log(), 50 * std::log(x), 1e-9);
  }
  EXPECT_EQ(LogProduct().log(), 0);
}

}  // namespace
}  // namespace medley::math
