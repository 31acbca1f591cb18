// SPDX-License-Identifier: Apache-2.0
#include "samplers/gom_record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/rng.hpp"

namespace medley::samplers {
namespace {

std::vector<double> random_rows(std::size_t rows, std::size_t components, core::Rng& rng) {
  std::vector<double> out;
  for (std::size_t i = 0; i < rows * components; ++i) out.push_back(rng.uniform());
  return out;
}

TEST(AlignDraws, SwitchedLabelsAreUndone) {
  constexpr std::size_t kRows = 12, kComponents = 7;
  core::Rng rng(3, 1);
  const std::vector<double> reference = random_rows(kRows, kComponents, rng);
  const std::vector<double> weight(kRows, 1.0);
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::vector<std::size_t> name(kComponents);  // what reference component k is called
    std::iota(name.begin(), name.end(), std::size_t{0});
    for (std::size_t k = kComponents; k > 1; --k) std::swap(name[k - 1], name[rng.below(k)]);
    std::vector<double> draw(reference.size());
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t k = 0; k < kComponents; ++k)
        draw[r * kComponents + name[k]] = reference[r * kComponents + k] + 0.02 * rng.normal();
    }
    EXPECT_EQ(align_draw(draw, reference, weight, kComponents), name);
  }
}

// Draws that have nothing to do with the reference: still the least sum, found by trying all.
TEST(AlignDraws, NoOrderIsNearer) {
  constexpr std::size_t kRows = 5, kComponents = 4;
  core::Rng rng(3, 2);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const std::vector<double> reference = random_rows(kRows, kComponents, rng);
    const std::vector<double> draw = random_rows(kRows, kComponents, rng);
    const std::vector<double> weight = random_rows(kRows, 1, rng);
    const auto distance = [&](const std::vector<std::size_t>& order) {
      double sum = 0;
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t k = 0; k < kComponents; ++k) {
          const double off = draw[r * kComponents + order[k]] - reference[r * kComponents + k];
          sum += weight[r] * off * off;
        }
      }
      return sum;
    };
    std::vector<std::size_t> any = {0, 1, 2, 3};
    double least = distance(any);
    while (std::next_permutation(any.begin(), any.end())) least = std::min(least, distance(any));
    EXPECT_NEAR(distance(align_draw(draw, reference, weight, kComponents)), least, 1e-12);
  }
}

}  // namespace
}  // namespace medley::samplers
