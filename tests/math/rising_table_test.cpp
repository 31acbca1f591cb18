// SPDX-License-Identifier: Apache-2.0
#include "math/special.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace medley::math {
namespace {

// Within the table and beyond it, short and long.
TEST(RisingTable, IsTheLogOfTheProduct) {
  for (const double a : {0.001, 0.7, 3.0, 250.0}) {
    const RisingTable table(a, 20);
    for (const double n : {0.0, 1.0, 14.0, 19.0, 20.0, 21.0, 500.0}) {
      EXPECT_NEAR(table.log_at(n), std::log(a + n), 1e-14 * std::abs(std::log(a + n)));
      for (const double length : {0.0, 1.0, 2.0, 8.0, 9.0, 40.0}) {
        long double sum = 0;
        for (double t = 0; t < length; ++t) sum += std::log(static_cast<long double>(a + n + t));
        EXPECT_NEAR(table.log_rise(n, length), static_cast<double>(sum), 1e-11);
      }
    }
  }
}

}  // namespace
}  // namespace medley::math
