// SPDX-License-Identifier: Apache-2.0
// Draws from many urns against the plain loop, on every instruction set.
#include "kernels/urn_draws.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/rng.hpp"
#include "kernels/lanes.hpp"
#include "support/on_every_target.hpp"

namespace medley::kernels {
namespace {

TEST(UrnDraws, EqualThePlainLoopOnEveryInstructionSet) {
  test::on_every_target([] {
    for (const std::size_t components : {1U, 2U, 9U, 50U}) {
      for (const std::size_t particles : {kLanes, 3 * kLanes}) {
        core::Rng rng(components, particles);
        const auto drawn = [&](std::size_t count) {
          std::vector<double> out(count);
          for (double& value : out) value = rng.uniform();
          return out;
        };
        const auto likelihood = drawn(components), urn = drawn(components * particles),
                   uniform = drawn(particles);
        std::vector<double> room(components * kLanes), total(particles);
        std::vector<std::uint32_t> component(particles, 77);
        draw_from_urns(
            {likelihood.data(), urn.data(), components, particles, uniform.data(), room.data()},
            total.data(), component.data());
        for (std::size_t r = 0; r < particles; ++r) {
          double all = 0;
          for (std::size_t k = 0; k < components; ++k)
            all += likelihood[k] * urn[k * particles + r];
          ASSERT_NEAR(total[r], all, 1e-13);
          // The cumulated odds on either side of the draw, up to rounding.
          double below = 0;
          ASSERT_LT(component[r], components);
          for (std::size_t k = 0; k < component[r]; ++k)
            below += likelihood[k] * urn[k * particles + r];
          const double own = likelihood[component[r]] * urn[component[r] * particles + r];
          EXPECT_LE(below, uniform[r] * all + 1e-12);
          EXPECT_GE(below + own, uniform[r] * all - 1e-12);
        }
      }
    }
  });
}

TEST(UrnDraws, WhatIsImpossibleIsNotDrawn) {
  test::on_every_target([] {
    const std::vector<double> likelihood = {0, 1, 0}, urn(3 * kLanes, 0.5);
    std::vector<double> uniform(kLanes, 1e-300), room(3 * kLanes), total(kLanes);
    uniform[1] = 1 - 1e-16;
    std::vector<std::uint32_t> component(kLanes);
    draw_from_urns({likelihood.data(), urn.data(), 3, kLanes, uniform.data(), room.data()},
                   total.data(), component.data());
    for (const std::uint32_t k : component) EXPECT_EQ(k, 1U);
  });
}

}  // namespace
}  // namespace medley::kernels
