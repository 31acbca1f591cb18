// SPDX-License-Identifier: Apache-2.0
// The draws' distribution given K and n is prior x a^K Gamma(a) / Gamma(a + n), by adding up.
#include "samplers/concentration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/chi_square.hpp"

namespace medley::samplers {
namespace {

TEST(Concentration, DrawsAreThePosterior) {
  constexpr std::size_t kClusters = 4, kRows = 30, kBins = 20;
  const GammaPrior prior{1.5, 0.7};
  // Bins of log a from -3 to 3; what is beyond counts to the first and last.
  const auto bin = [](double a) {
    const double at = (std::log(a) + 3) / 6 * kBins;
    return static_cast<std::size_t>(std::min(std::max(at, 0.0), kBins - 1.0));
  };
  std::vector<double> p(kBins, 0.0), count(kBins, 0.0);
  double total = 0;
  for (double y = -25; y < 6; y += 1e-3) {
    const double a = std::exp(y);
    const double density = std::exp((prior.shape + kClusters) * y - prior.rate * a +
                                    std::lgamma(a) - std::lgamma(a + kRows));
    p[bin(a)] += density;
    total += density;
  }
  for (double& x : p) x /= total;
  core::Rng rng(3, 3);
  double a = 1;
  for (int i = 0; i < 20000; ++i) {
    for (int j = 0; j < 10; ++j) a = draw_concentration(a, kClusters, kRows, prior, rng);
    ++count[bin(a)];
  }
  EXPECT_GT(test::chi_square_p(count, p), 1e-6);
}

}  // namespace
}  // namespace medley::samplers
