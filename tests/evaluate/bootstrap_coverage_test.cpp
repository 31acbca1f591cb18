// SPDX-License-Identifier: Apache-2.0
// Bootstrap intervals hold planted parameters as often as they say: 200 simulated surveys of
// Grade-of-Membership data, each fitted by exact EM as a user would and bootstrapped 200 times. A
// few minutes, so only with ./check --all.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "evaluate/planted_survey.hpp"

namespace medley {
namespace {

// P(at most `most` successes in n tries of probability p).
double binomial_below(std::size_t most, std::size_t n, double p) {
  double sum = 0;
  for (std::size_t i = 0; i <= most; ++i) {
    const auto k = static_cast<double>(i), tries = static_cast<double>(n);
    sum += std::exp(std::lgamma(tries + 1) - std::lgamma(k + 1) - std::lgamma(tries - k + 1) +
                    k * std::log(p) + (tries - k) * std::log1p(-p));
  }
  return sum;
}

TEST(BootstrapCoverage, ExactEmOnGradeOfMembershipData) {
  test::CoverageStudy study;
  study.prior = {0.6, 0.4};
  study.yes = {{0.9, 0.8, 0.85, 0.7, 0.9, 0.8, 0.6, 0.75, 0.85, 0.9},
               {0.1, 0.2, 0.15, 0.3, 0.2, 0.25, 0.1, 0.3, 0.2, 0.15}};
  const test::Coverage found = covered(study);
  // Every parameter on its own is binomial over the simulations; one in a thousand such studies
  // may fail for one of them by chance.
  const double enough = 0.001 / (2 * static_cast<double>(found.name.size()));
  for (std::size_t i = 0; i < found.name.size(); ++i) {
    const auto inside = static_cast<std::size_t>(found.inside[i]);
    std::cout << found.name[i] << ": planted " << found.truth[i] << ", covered " << found.rate(i)
              << ", mean width " << found.width[i] / static_cast<double>(found.simulations) << '\n';
    EXPECT_GT(binomial_below(inside, found.simulations, study.level), enough) << found.name[i];
    EXPECT_LT(inside == 0 ? 0.0 : binomial_below(inside - 1, found.simulations, study.level),
              1 - enough)
        << found.name[i];
  }
  // Parameters of one simulation depend on each other; simulations do not.
  std::cout << "item probabilities: " << found.mean() << " +- " << found.mean_error() << '\n';
  EXPECT_NEAR(found.mean(), study.level, 4 * found.mean_error());
  EXPECT_LT(found.mean_error(), 0.01);
  EXPECT_LT(found.ambiguous + found.not_converged, found.simulations * study.replicates / 100);
}

}  // namespace
}  // namespace medley
