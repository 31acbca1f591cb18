// SPDX-License-Identifier: Apache-2.0
// Half precision against its definition: 11 bits, spacing 2^-24 below 2^-14.
#include "kernels/half.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "support/on_every_target.hpp"

namespace medley::kernels {
namespace {

TEST(Half, RoundsToTheNearestNumberOfElevenBits) {
  test::on_every_target([] {
    for (double x = 1e-9; x <= 1; x *= 1.37) {
      std::array<float, 8> in{}, out{};
      std::array<Half, 8> kept{};
      in.fill(static_cast<float>(x));
      to_half(in.data(), in.size(), kept.data());
      from_half(kept.data(), kept.size(), out.data());
      const int exponent = std::max(-14, std::ilogb(x));
      const double spacing = std::ldexp(1.0, exponent - 10);
      for (const float y : out) {
        EXPECT_NEAR(double{y}, x, (x < std::ldexp(1.0, -14) ? 1.01 : 0.51) * spacing);
        EXPECT_EQ(std::round(double{y} / spacing), double{y} / spacing);
      }
    }
  });
}

TEST(Half, KnowsZeroAndOne) {
  test::on_every_target([] {
    const std::array<float, 8> in = {0, 1, 0.5F, 0.25F, 0, 1, 0.75F, 2};
    std::array<float, 8> out{};
    std::array<Half, 8> kept{};
    to_half(in.data(), in.size(), kept.data());
    from_half(kept.data(), kept.size(), out.data());
    EXPECT_EQ(in, out);
  });
}

}  // namespace
}  // namespace medley::kernels
