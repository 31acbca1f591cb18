// SPDX-License-Identifier: Apache-2.0
// Intervals of memberships against the posterior itself: by quadrature over theta for two
// components, by enumerating every assignment of observations for three; and their coverage of the
// memberships that rows were drawn from.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "evaluate/membership_posteriors.hpp"
#include "medley/error.hpp"
#include "medley/simulate.hpp"
#include "medley/uncertainty.hpp"
#include "support/hand_model.hpp"

namespace medley {
namespace {

constexpr std::array<double, 2> kEnds = {0.1, 0.9};
constexpr std::size_t kItems = 5;

// Five yes/no items; yes[k] is the probability of "l1" for each.
Model survey(const std::vector<double>& alpha, const std::vector<std::vector<double>>& yes,
             const Dataset& data) {
  auto parts = test::hand_parts("mixed", alpha, data);
  std::vector<std::vector<double>> table(2 * kItems, std::vector<double>(alpha.size()));
  for (std::size_t k = 0; k < alpha.size(); ++k) {
    for (std::size_t f = 0; f < kItems; ++f) {
      table[2 * f][k] = 1 - yes[k][f];
      table[2 * f + 1][k] = yes[k][f];
    }
  }
  test::set_table(*parts->blocks[0].family, table);
  return Model(parts);
}

Dataset answers(const std::vector<std::vector<int>>& codes) {
  return test::dataset(
      {test::level_block("bernoulli", codes, std::vector<std::size_t>(kItems, 2))});
}

double likelihood(const std::vector<int>& codes, const std::vector<double>& yes, std::size_t f) {
  return codes[f] == 1 ? yes[f] : 1 - yes[f];
}

// P(theta_1 <= t | x) for two components: the posterior density over [0, t] and over [0, 1], with
// theta = s^(1/a) near 0 and its mirror image near 1.
double below_by_quadrature(const std::vector<double>& alpha,
                           const std::vector<std::vector<double>>& yes,
                           const std::vector<int>& codes, double t) {
  constexpr int kSteps = 40'000;
  const auto smooth = [&](double theta) {
    double p = 1;
    for (std::size_t f = 0; f < kItems; ++f) {
      if (codes[f] >= 0)
        p *= theta * likelihood(codes, yes[0], f) + (1 - theta) * likelihood(codes, yes[1], f);
    }
    return p;
  };
  // From 0 to `end` <= 1/2 of theta^(a-1) (1-theta)^(b-1) p(theta), seen from either side.
  const auto side = [&](double a, double b, double end, bool mirrored) {
    const double last = std::pow(end, a);
    double sum = 0;
    for (int i = 0; i < kSteps; ++i) {
      const double theta = std::pow(last * (i + 0.5) / kSteps, 1 / a);
      sum += std::pow(1 - theta, b - 1) * smooth(mirrored ? 1 - theta : theta) / a;
    }
    return sum * last / kSteps;
  };
  const double left = side(alpha[0], alpha[1], 0.5, false);
  const double right = side(alpha[1], alpha[0], 0.5, true);
  const double part = t <= 0.5 ? side(alpha[0], alpha[1], t, false)
                               : left + right - side(alpha[1], alpha[0], 1 - t, true);
  return part / (left + right);
}

// The quantiles at (1 - level) / 2 and (1 + level) / 2, as they are.
MembershipIntervals quantiles(const Model& model, const Dataset& data, double level) {
  const std::array<double, 2> at = {(1 - level) / 2, (1 + level) / 2};
  auto found = evaluation::membership_posteriors(model::ModelOnData(model, data), data, at, 1, 1);
  return {model.components(), level, found.estimator, found.effective_draws, found.quantile[0],
          found.quantile[1]};
}

TEST(MembershipIntervals, AreTheQuantilesOfTheIntegratedPosterior) {
  const std::vector<double> alpha = {0.4, 0.8};
  const std::vector<std::vector<double>> yes = {{0.9, 0.8, 0.95, 0.6, 0.7},
                                                {0.1, 0.3, 0.2, 0.1, 0.5}};
  const std::vector<std::vector<int>> codes = {{1, 1, 1, 1, 1},
                                               {0, 0, 0, 0, 1},
                                               {1, 0, 1, 0, -1},
                                               {-1, -1, 0, -1, -1},
                                               {-1, -1, -1, -1, -1}};
  const Dataset data = answers(codes);
  const MembershipIntervals found = quantiles(survey(alpha, yes, data), data, 0.8);
  EXPECT_EQ(found.estimator, Estimator::exact);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    EXPECT_NEAR(below_by_quadrature(alpha, yes, codes[i], found.low[2 * i]), kEnds[0], 1e-6) << i;
    EXPECT_NEAR(below_by_quadrature(alpha, yes, codes[i], found.high[2 * i]), kEnds[1], 1e-6) << i;
    // theta_2 = 1 - theta_1
    EXPECT_NEAR(found.low[2 * i + 1], 1 - found.high[2 * i], 1e-9);
    EXPECT_NEAR(found.high[2 * i + 1], 1 - found.low[2 * i], 1e-9);
  }
}

const std::vector<double> kAlpha3 = {0.3, 0.6, 0.2};
const std::vector<std::vector<double>> kYes3 = {
    {0.9, 0.8, 0.9, 0.2, 0.1}, {0.5, 0.1, 0.2, 0.7, 0.6}, {0.2, 0.9, 0.1, 0.1, 0.9}};
const std::vector<int> kCodes3 = {1, 0, 1, 1, 0};

// All 3^5 assignments z: p(z | x) is prod_o l_o,z_o times exp(lnB(alpha + n) - lnB(alpha)), and
// theta | z ~ Dirichlet(alpha + n). Calls use(weight, n).
template <class Use>
void enumerate(Use&& use) {
  for (int code = 0; code < 243; ++code) {
    std::vector<double> n = kAlpha3;
    double p = 1;
    for (std::size_t f = 0, rest = static_cast<std::size_t>(code); f < kItems; ++f, rest /= 3) {
      p *= likelihood(kCodes3, kYes3[rest % 3], f);
      n[rest % 3] += 1;
    }
    for (const double shape : n) p *= std::tgamma(shape);
    use(p, n);
  }
}

TEST(MembershipIntervals, HaveTheirProbabilityOverAllAssignments) {
  const Dataset data = answers({kCodes3});
  const MembershipIntervals found = quantiles(survey(kAlpha3, kYes3, data), data, 0.8);
  // P(theta_k <= t) of a Beta by the midpoint rule, after theta = s^(1/a).
  const auto beta_below = [](double a, double b, double t) {
    constexpr int kSteps = 4000;
    double sum = 0;
    for (int i = 0; i < kSteps; ++i)
      sum += std::pow(1 - std::pow(std::pow(t, a) * (i + 0.5) / kSteps, 1 / a), b - 1);
    return sum / kSteps * std::pow(t, a) / a *
           std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b));
  };
  for (std::size_t k = 0; k < 3; ++k) {
    double total = 0, below_low = 0, below_high = 0;
    enumerate([&](double p, const std::vector<double>& n) {
      const double rest = n[0] + n[1] + n[2] - n[k];
      total += p;
      below_low += p * beta_below(n[k], rest, found.low[k]);
      below_high += p * beta_below(n[k], rest, found.high[k]);
    });
    EXPECT_NEAR(below_low / total, kEnds[0], 1e-5) << k;
    EXPECT_NEAR(below_high / total, kEnds[1], 1e-5) << k;
  }
}

TEST(MembershipPosteriors, MomentsAreThoseOverAllAssignments) {
  const Dataset data = answers({kCodes3});
  const Model model = survey(kAlpha3, kYes3, data);
  const auto found =
      evaluation::membership_posteriors(model::ModelOnData(model, data), data, {}, 1);
  for (std::size_t k = 0; k < 3; ++k) {
    double total = 0, mean = 0, square = 0;
    enumerate([&](double p, const std::vector<double>& n) {
      const double sum = n[0] + n[1] + n[2];
      total += p;
      mean += p * n[k] / sum;
      square += p * n[k] * (n[k] + 1) / (sum * (sum + 1));
    });
    EXPECT_NEAR(found.mean[k], mean / total, 1e-12);
    EXPECT_NEAR(found.variance[k], square / total - mean / total * mean / total, 1e-12);
  }
}

// Words too long for the lattice: sampled. The weights of cells are no whole numbers for one of the
// two, so the same rows have an exact twin.
TEST(MembershipPosteriors, SampledAgreesWithExact) {
  const Dataset data = answers({kCodes3, {1, 1, 0, -1, 0}, {-1, -1, -1, -1, -1}});
  Dataset fractional = data;
  fractional.blocks[0].weight.assign(data.blocks[0].cells(), 1.0F);
  fractional.blocks[0].weight[0] = 1.0F + 1e-6F;  // no count: only sampling is left
  const Model model = survey(kAlpha3, kYes3, data);
  const auto exact =
      evaluation::membership_posteriors(model::ModelOnData(model, data), data, kEnds, 1);
  const auto sampled = evaluation::membership_posteriors(model::ModelOnData(model, fractional),
                                                         fractional, kEnds, 1);
  ASSERT_EQ(exact.estimator, Estimator::exact);
  ASSERT_EQ(sampled.estimator, Estimator::importance);
  EXPECT_GT(sampled.effective_draws, 300);
  // Standard errors: 0.3 / sqrt(300) of the mean; quantiles where the density is not small.
  for (std::size_t i = 0; i < exact.mean.size(); ++i) {
    EXPECT_NEAR(sampled.mean[i], exact.mean[i], 0.05);
    EXPECT_NEAR(sampled.variance[i], exact.variance[i], 0.02);
    EXPECT_NEAR(sampled.quantile[0][i], exact.quantile[0][i], 0.08);
    EXPECT_NEAR(sampled.quantile[1][i], exact.quantile[1][i], 0.08);
  }
  const auto threads = evaluation::membership_posteriors(model::ModelOnData(model, fractional),
                                                         fractional, kEnds, 3);
  EXPECT_EQ(threads.quantile, sampled.quantile);
}

// Of the memberships that the rows were drawn from, the intervals hold their share.
TEST(MembershipIntervals, CoverTheMembershipsOfDrawnRows) {
  const Dataset shape = answers({{0, 0, 0, 0, 0}});
  auto parts = survey(kAlpha3, kYes3, shape).parts().clone();
  parts->schema.sources.resize(1);
  const Model model{parts};
  const std::size_t rows = 4000;
  const Simulated drawn = simulate(model, {.rows = rows, .seed = 3});
  const MembershipIntervals found = quantiles(model, drawn.data, 0.8);
  for (std::size_t k = 0; k < 3; ++k) {
    double inside = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const double theta = drawn.membership.row(i)[k];
      inside += found.low[3 * i + k] <= theta && theta <= found.high[3 * i + k] ? 1 : 0;
    }
    // Five standard deviations of the binomial.
    EXPECT_NEAR(inside / static_cast<double>(rows), 0.8,
                5 * std::sqrt(0.8 * 0.2 / static_cast<double>(rows)));
  }
}

// Where alpha is small, most quantiles are as good as 0 or 1, and intervals say so.
TEST(MembershipIntervals, BeginAtNothingAndEndAtEverything) {
  const Dataset data = answers({kCodes3, {1, 1, 1, 0, 0}, {0, 1, 0, 0, 1}});
  const Model model = survey({0.03, 0.06, 0.02}, kYes3, data);
  const MembershipIntervals raw = quantiles(model, data, 0.9);
  const MembershipIntervals found = membership_intervals(model, data, 0.9, 1);
  int none = 0, all = 0;
  for (std::size_t i = 0; i < raw.low.size(); ++i) {
    none += raw.low[i] > 0 && raw.low[i] < 1e-4 ? 1 : 0;
    all += raw.high[i] < 1 && raw.high[i] > 0.9999 ? 1 : 0;
    EXPECT_EQ(found.low[i], raw.low[i] < 1e-4 ? 0 : raw.low[i]);
    EXPECT_EQ(found.high[i], raw.high[i] > 0.9999 ? 1 : raw.high[i]);
  }
  EXPECT_GT(none, 3);
  EXPECT_GT(all, 0);
}

TEST(MembershipIntervals, OneComponentHoldsEverything) {
  const Dataset data = answers({kCodes3});
  const MembershipIntervals found = membership_intervals(survey({1}, {kYes3[0]}, data), data, 0.9);
  EXPECT_EQ(found.low, std::vector<double>{1});
  EXPECT_EQ(found.high, std::vector<double>{1});
}

TEST(MembershipIntervals, SingleMembershipAndBadLevelsAreRefused) {
  const Dataset data = answers({kCodes3});
  auto parts = test::hand_parts("single", {0.5, 0.5}, data);
  EXPECT_THROW(static_cast<void>(membership_intervals(Model(parts), data, 0.9)), InputError);
  const Model mixed = survey(kAlpha3, kYes3, data);
  EXPECT_THROW(static_cast<void>(membership_intervals(mixed, data, 0)), InputError);
  EXPECT_THROW(static_cast<void>(membership_intervals(mixed, data, 1)), InputError);
}

}  // namespace
}  // namespace medley
