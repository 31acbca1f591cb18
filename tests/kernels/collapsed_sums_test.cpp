// SPDX-License-Identifier: Apache-2.0
// The sums of collapsed inference against plain loops in double.
#include "kernels/collapsed_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/rng.hpp"
#include "kernels/lanes.hpp"
#include "support/on_every_target.hpp"

namespace medley::kernels {
namespace {

struct Observations {
  Observations(std::size_t components, std::size_t count)
      : width(padded(components)), phi(count * width, 0.0F), kept(phi.size()) {
    core::Rng rng(components, 6);
    const double weights[] = {1, 2, 0.5, 7, 3.2};
    for (std::size_t o = 0; o < count; ++o) {
      slot.push_back(static_cast<std::uint32_t>(3 + rng.below(4)));
      weight.push_back(static_cast<float>(weights[o % 5]));
      for (std::size_t k = 0; k < components; ++k)
        phi[o * width + k] = static_cast<float>(rng.uniform() / static_cast<double>(components));
    }
    to_half(phi.data(), phi.size(), kept.data());
    from_half(kept.data(), kept.size(), phi.data());  // so that both say the same
  }

  [[nodiscard]] CollapsedCells cells(bool half) {
    CollapsedCells out{slot.data(), weight.data(), phi.data(), nullptr, slot.size()};
    if (half) out.half_phi = kept.data();
    return out;
  }

  // count and none of rows: those whose group(o) is the same.
  template <class Group>
  void plainly(double row_weight, Group&& group, std::vector<double>& count,
               std::vector<double>& none) const {
    for (std::size_t o = 0; o < slot.size(); ++o) {
      const double w = row_weight * double{weight[o]};
      for (std::size_t k = 0; k < width; ++k) {
        const double f = double{phi[o * width + k]};
        count[group(o) * width + k] += w * f;
        none[group(o) * width + k] *= std::pow(1 - f, std::max(1.0, std::round(w)));
      }
    }
  }

  std::size_t width;
  std::vector<std::uint32_t> slot;
  std::vector<float> weight, phi;
  std::vector<Half> kept;
};

template <class T>
void expect_near(const std::vector<T>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(static_cast<double>(a[i]), b[i], 1e-5 * (1 + b[i])) << i;
}

TEST(CollapsedSums, OfARowEqualPlainLoops) {
  test::on_every_target([] {
    for (const std::size_t components : {1U, 8U, 9U, 50U}) {
      for (const bool half : {false, true}) {
        Observations all(components, 23);
        std::vector<float> count(all.width, 0.0F), none(all.width, 1.0F);
        sum_row(all.cells(half), all.width, count.data(), none.data());
        std::vector<double> expected(all.width, 0.0), nothing(all.width, 1.0);
        all.plainly(1, [](std::size_t) { return std::size_t{0}; }, expected, nothing);
        expect_near(count, expected);
        expect_near(none, nothing);
      }
    }
  });
}

TEST(CollapsedSums, OfSlotsEqualPlainLoops) {
  test::on_every_target([] {
    for (const std::size_t components : {1U, 8U, 9U, 50U}) {
      for (const bool half : {false, true}) {
        Observations all(components, 23);
        std::vector<double> count(4 * all.width, 0.0), expected = count;
        std::vector<float> none(4 * all.width, 1.0F);
        std::vector<double> nothing(4 * all.width, 1.0);
        sum_slots(all.cells(half), 2.5, 3, all.width, count.data(), none.data());
        all.plainly(
            2.5, [&](std::size_t o) { return std::size_t{all.slot[o] - 3}; }, expected, nothing);
        expect_near(count, expected);
        expect_near(none, nothing);
      }
    }
  });
}

}  // namespace
}  // namespace medley::kernels
