// SPDX-License-Identifier: Apache-2.0
// Densities of numbers and their statistics against plain loops, on every instruction set.
#include "kernels/densities.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/rng.hpp"
#include "kernels/lanes.hpp"
#include "support/on_every_target.hpp"

namespace medley::kernels {
namespace {

constexpr std::size_t kSlots = 7;

struct Problem {
  std::size_t components, width;
  std::vector<double> coefficients;
  std::vector<std::uint32_t> slot;
  std::vector<double> t1, t2;

  Problem(std::size_t count, std::size_t k, double spread)
      : components(k), width(padded(k)), coefficients(kSlots * 3 * width, 0.0) {
    core::Rng rng(1000 * count + k, 3);
    for (std::size_t s = 0; s < kSlots; ++s) {
      for (std::size_t j = 0; j < k; ++j) {
        double* at = &coefficients[s * 3 * width + j];
        at[0] = -3 * rng.uniform() - 5;  // below 0: the padding's zero would be the largest
        at[width] = rng.normal();
        at[2 * width] = -0.1 - rng.uniform();
      }
    }
    for (std::size_t o = 0; o < count; ++o) {
      slot.push_back(static_cast<std::uint32_t>(rng.below(kSlots)));
      t1.push_back(spread * rng.normal());
      t2.push_back(spread * rng.uniform());
    }
  }

  [[nodiscard]] double log_density(DensityForm form, std::size_t o, std::size_t k) const {
    const double* at = &coefficients[slot[o] * 3 * width + k];
    const double off = t1[o] - at[width];
    const double log = form == DensityForm::curved
                           ? at[0] + at[2 * width] * off * off
                           : at[0] + at[width] * t1[o] + at[2 * width] * t2[o];
    return std::max(log, kLeastLogDensity);
  }
};

void expect_densities(const Problem& p, DensityForm form) {
  const std::size_t count = p.slot.size();
  std::vector<double> out(count * p.width, -1.0), top(count, 5.0);
  scaled_densities({form, p.coefficients.data(), p.components},
                   {p.slot.data(), p.t1.data(), p.t2.data(), count}, out.data(), top.data());
  for (std::size_t o = 0; o < count; ++o) {
    double most = p.log_density(form, o, 0);
    for (std::size_t k = 1; k < p.components; ++k) most = std::max(most, p.log_density(form, o, k));
    ASSERT_NEAR(top[o], most, 1e-14 * (10 + std::abs(most)));
    for (std::size_t k = 0; k < p.width; ++k) {
      const double truth = k < p.components ? std::exp(p.log_density(form, o, k) - most) : 0.0;
      ASSERT_NEAR(out[o * p.width + k], truth, 1e-13 * (1 + std::abs(most)))
          << "cell " << o << ", component " << k << " of " << p.components;
    }
  }
}

TEST(Densities, EqualThePlainLoopOnEveryInstructionSet) {
  test::on_every_target([] {
    for (const std::size_t components : {1U, 2U, 5U, 8U, 9U, 20U}) {
      for (const double spread : {1.0, 50.0}) {
        const Problem p(33, components, spread);
        expect_densities(p, DensityForm::curved);
        expect_densities(p, DensityForm::linear);
      }
    }
  });
}

TEST(Densities, OfACellFarFromEveryComponentAreFinite) {
  test::on_every_target([] {
    Problem p(3, 3, 1.0);
    p.t1 = {1e200, -1e200, 1e160};
    std::vector<double> out(3 * p.width), top(3);
    scaled_densities({DensityForm::curved, p.coefficients.data(), 3},
                     {p.slot.data(), p.t1.data(), p.t2.data(), 3}, out.data(), top.data());
    for (std::size_t o = 0; o < 3; ++o) {
      EXPECT_EQ(top[o], kLeastLogDensity);
      for (std::size_t k = 0; k < p.width; ++k) EXPECT_EQ(out[o * p.width + k], k < 3 ? 1.0 : 0.0);
    }
  });
}

TEST(Moments, EqualThePlainLoopOnEveryInstructionSet) {
  test::on_every_target([] {
    for (const std::size_t components : {1U, 8U, 11U}) {
      for (const bool with_density : {true, false}) {
        constexpr std::size_t kCells = 29, kRows = 6;
        const std::size_t width = padded(components);
        core::Rng rng(components, 4);
        const auto drawn = [&](std::size_t count) {
          std::vector<double> out(count);
          for (double& value : out) value = rng.uniform();
          return out;
        };
        const auto vectors = drawn(kRows * width), density = drawn(kCells * width);
        const auto weight = drawn(kCells), u1 = drawn(kCells), u2 = drawn(kCells);
        std::vector<std::uint32_t> row;
        for (std::size_t o = 0; o < kCells; ++o)
          row.push_back(static_cast<std::uint32_t>(rng.below(kRows)));
        std::vector<double> sums(3 * width, 2.0);
        add_moments({vectors.data(), row.data(), weight.data(),
                     with_density ? density.data() : nullptr, u1.data(), u2.data(), kCells, width},
                    sums.data());
        for (std::size_t k = 0; k < width; ++k) {
          double zeroth = 2, first = 2, second = 2;
          for (std::size_t o = 0; o < kCells; ++o) {
            const double r = weight[o] * vectors[row[o] * width + k] *
                             (with_density ? density[o * width + k] : 1.0);
            zeroth += r;
            first += r * u1[o];
            second += r * u2[o];
          }
          ASSERT_NEAR(sums[k], zeroth, 1e-13);
          ASSERT_NEAR(sums[width + k], first, 1e-13);
          ASSERT_NEAR(sums[2 * width + k], second, 1e-13);
        }
      }
    }
  });
}

}  // namespace
}  // namespace medley::kernels
