// SPDX-License-Identifier: Apache-2.0
// Posteriors of the parameters, one component and tiny data, against integrals over the prior times
// the likelihood: the log evidence, and what a new cell is expected to score.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "families/one_column.hpp"
#include "support/quadrature.hpp"

namespace medley::families {
namespace {

const Smoothing kPosterior(0.3, 0, true);

// A family's parameter on a line: the prior density there, and the log density of a number.
struct Line {
  std::function<double(double z)> log_prior;
  std::function<double(double z, double x)> log_likelihood;
};

void expect_posterior(const FamilyEntry& entry, const std::vector<double>& values,
                      const std::vector<double>& others, const Line& line) {
  OneColumn column(entry, values);
  column.learn(kPosterior);
  double top = -1e300;
  const auto log_joint = [&](double z) {
    double sum = line.log_prior(z);
    for (const double x : values) sum += line.log_likelihood(z, x);
    return sum;
  };
  for (double z = -40; z < 40; z += 0.05) top = std::max(top, log_joint(z));
  const auto weight = [&](double z) { return std::exp(log_joint(z) - top); };
  const double mass = test::integral(-40, 40, weight, 4000);
  // E_q log likelihood - KL(q || prior) is the log evidence where q is the posterior.
  double objective = column.family->log_prior(kPosterior);
  for (const double log : column.log_densities(values)) objective += log;
  EXPECT_NEAR(objective, top + std::log(mass), 1e-8) << entry.name;
  const auto expected = column.log_densities(others);
  for (std::size_t i = 0; i < others.size(); ++i) {
    const auto score = [&](double z) { return weight(z) * line.log_likelihood(z, others[i]); };
    EXPECT_NEAR(expected[i], test::integral(-40, 40, score, 4000) / mass, 1e-8) << entry.name;
  }
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / static_cast<double>(values.size());
}

TEST(Posterior, Poisson) {
  const std::vector<double> values = {0, 3, 1, 1, 4};
  const double b = 1 / mean_of(values);  // Gamma(1, b): the column's mean
  expect_posterior(poisson_family, values, {0, 2, 9},
                   {[=](double z) { return std::log(b) + z - b * std::exp(z); },
                    [](double z, double x) {
                      return test::plain_log_density("poisson", {{"rate", std::exp(z)}}, x);
                    }});
}

TEST(Posterior, Exponential) {
  const std::vector<double> values = {0.2, 3, 1.5, 0};
  const double b = mean_of(values);  // Gamma(1, b): one observation of the column's mean
  expect_posterior(exponential_family, values, {0, 2, 9},
                   {[=](double z) { return std::log(b) + z - b * std::exp(z); },
                    [](double z, double x) {
                      return test::plain_log_density("exponential", {{"rate", std::exp(z)}}, x);
                    }});
}

TEST(Posterior, Geometric) {
  const auto p = [](double z) { return 1 / (1 + std::exp(-z)); };
  expect_posterior(
      geometric_family, {0, 3, 1, 7}, {0, 2, 9},
      {[](double z) { return -std::log1p(std::exp(-z)) - std::log1p(std::exp(z)); },  // Beta(1, 1)
       [=](double z, double x) { return std::log(p(z)) - x * std::log1p(std::exp(z)); }});
}

// Mean and log precision together: NIG(m0 = mean, kappa0 = 0.1, a0 = 2, b0 = variance / 4).
void expect_normal(const FamilyEntry& entry, const std::vector<double>& values, bool logs) {
  std::vector<double> t;
  for (const double x : values) t.push_back(logs ? std::log(x) : x);
  const double mean = mean_of(t);
  double variance = 0;
  for (const double x : t) variance += (x - mean) * (x - mean) / static_cast<double>(t.size());
  const double b0 = variance / 4;
  const auto log_likelihood = [](double x, double mu, double z) {
    return test::normal_log_density(x, mu, std::exp(-z));
  };
  const auto log_joint = [&](double mu, double z) {
    double sum = test::normal_log_density(mu, mean, std::exp(-z) / 0.1) + 2 * std::log(b0) + 2 * z -
                 b0 * std::exp(z);
    for (const double x : t) sum += log_likelihood(x, mu, z);
    return sum;
  };
  const double centre = -std::log(variance);
  const double top = log_joint(mean, centre);
  const auto over_both = [&](auto&& f) {
    return test::integral(
        centre - 12, centre + 6,
        [&](double z) {
          const double wide = 9 * std::exp(-z / 2) / std::sqrt(static_cast<double>(t.size()));
          return test::integral(
              mean - wide, mean + wide,
              [&](double mu) { return f(mu, z) * std::exp(log_joint(mu, z) - top); }, 300);
        },
        600);
  };
  const double mass = over_both([](double, double) { return 1.0; });
  OneColumn column(entry, values);
  column.learn(kPosterior);
  double objective = column.family->log_prior(kPosterior), jacobian = 0;
  for (const double log : column.log_densities(values)) objective += log;
  for (const double x : t) jacobian += logs ? x : 0;
  EXPECT_NEAR(objective, top + std::log(mass) - jacobian, 1e-6) << entry.name;
  const double other = logs ? std::log(2.2) : 2.2;
  const double expected =
      over_both([&](double mu, double z) { return log_likelihood(other, mu, z); }) / mass;
  EXPECT_NEAR(column.log_densities({2.2})[0], expected - (logs ? other : 0), 1e-6) << entry.name;
}

TEST(Posterior, Gaussian) {
  expect_normal(gaussian_family, {0.5, 1.5, -2, 3.25, 1}, false);
}

TEST(Posterior, Lognormal) {
  expect_normal(lognormal_family, {0.5, 1.5, 7, 3.25, 1}, true);
}

// Words and levels: Dirichlet(eps + c share) has its evidence in closed form.
TEST(Posterior, SimplexesHaveTheEvidenceOfDirichletMultinomials) {
  const Block block = test::level_block("categorical", {{0, 1}, {0, 2}, {1, -1}, {0, 0}}, {2, 3});
  const data::Columns columns = data::transpose(block);
  const auto family = categorical_family.make(block, 1);
  family->observe(block, columns, {});
  const Smoothing smoothing(0.3, 2, true);
  std::vector<double> vectors(4 * family->padded(), 0.0);
  for (std::size_t row = 0; row < 4; ++row) vectors[row * family->padded()] = 1;
  const std::vector<double> ones(block.cells(), 1.0);
  family->maximise(family->collect(columns, block, {vectors.data(), ones.data(), false, {}}),
                   smoothing);
  family->prepare(true);
  const std::vector<std::vector<double>> counts = {{3, 1}, {1, 1, 1}};
  double truth = 0;
  for (const auto& count : counts) {
    double all = 0, cells = 0, prior_all = 0;
    for (const double n : count) cells += n;
    for (const double n : count) {
      const double a = 0.3 + 2 * n / cells;
      truth += std::lgamma(a + n) - std::lgamma(a);
      prior_all += a;
      all += a + n;
    }
    truth += std::lgamma(prior_all) - std::lgamma(all);
  }
  double objective = family->log_prior(smoothing);
  std::vector<double> total(family->padded(), 0.0);
  for (std::size_t row = 0; row < 4; ++row) family->add_log_rows(block, row, total.data());
  EXPECT_NEAR(objective + total[0], truth, 1e-12);
  EXPECT_NEAR(family->parameters()[0], (3 + 0.3 + 1.5) / (4 + 0.6 + 2), 1e-12);
  EXPECT_NEAR(family->strengths()[0], 4 + 0.6 + 2, 1e-12);
}

// E log p of a yes/no answer, by an integral over the Beta posterior.
TEST(Posterior, Bernoulli) {
  const Block block = test::level_block("bernoulli", {{0}, {1}, {1}}, {2});
  const auto family = bernoulli_family.make(block, 1);
  std::vector<double> p(family->parameters().size(), 0.0), strength(family->padded(), 0.0);
  p[0] = 1.3 / 3.6;
  p[family->padded()] = 2.3 / 3.6;
  strength[0] = 3.6;  // Beta(2.3, 1.3)
  family->set_parameters(p);
  family->set_strengths(strength);
  family->prepare(true);
  const auto density = [](double z) {  // of the logit, not normalised
    return std::exp(-2.3 * std::log1p(std::exp(-z)) - 1.3 * std::log1p(std::exp(z)));
  };
  const double mass = test::integral(-60, 60, density);
  const double truth =
      test::integral(-60, 60, [&](double z) { return -density(z) * std::log1p(std::exp(-z)); });
  std::vector<double> log(family->padded());
  family->log_rows(block, 1, log.data());
  EXPECT_NEAR(log[0], truth / mass, 1e-9);
}

}  // namespace
}  // namespace medley::families
