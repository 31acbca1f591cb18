// SPDX-License-Identifier: Apache-2.0
// Mixed membership against the bound written out term by term, a Monte-Carlo average and small
// perturbations.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <numeric>

#include "math/dirichlet.hpp"
#include "math/logs.hpp"
#include "memberships/random_cells.hpp"
#include "memberships/registry.hpp"

namespace medley::memberships {
namespace {

constexpr Limits kTight{1e-13, 50'000};
using Vector = std::vector<double>;

double sum(const Vector& x) {
  return std::accumulate(x.begin(), x.end(), 0.0);
}

double log_beta(const Vector& a) {
  double result = -std::lgamma(sum(a));
  for (const double v : a) result += std::lgamma(v);
  return result;
}

// E_q log theta_k under Dirichlet(gamma).
Vector expected_logs(const Vector& gamma) {
  Vector e;
  for (const double g : gamma)
    e.push_back(boost::math::digamma(g) - boost::math::digamma(sum(gamma)));
  return e;
}

// phi of every cell at its best for this gamma.
std::vector<Vector> best_phi(const test::RandomCells& cells, const Vector& gamma) {
  const Vector e = expected_logs(gamma);
  std::vector<Vector> phi;
  for (std::size_t o = 0; o < cells.count(); ++o) {
    Vector p;
    for (std::size_t k = 0; k < gamma.size(); ++k)
      p.push_back(std::exp(e[k]) * cells.likelihood(o, k));
    const double total = sum(p);
    for (double& v : p) v /= total;
    phi.push_back(p);
  }
  return phi;
}

// E log p(theta) + E log p(z | theta) + E log p(x | z) + H[q(theta)] + H[q(z)].
double five_terms(const test::RandomCells& cells, const Vector& alpha, const Vector& gamma,
                  const std::vector<Vector>& phi) {
  const Vector e = expected_logs(gamma);
  double prior = -log_beta(alpha), choice = 0, data = 0;
  double entropy_theta = log_beta(gamma), entropy_z = 0;
  for (std::size_t k = 0; k < alpha.size(); ++k) {
    prior += (alpha[k] - 1) * e[k];
    entropy_theta -= (gamma[k] - 1) * e[k];
  }
  for (std::size_t o = 0; o < cells.count(); ++o) {
    for (std::size_t k = 0; k < alpha.size(); ++k) {
      const double mass = cells.weight(o) * phi[o][k];
      choice += mass * e[k];
      data += mass * std::log(cells.likelihood(o, k));
      entropy_z -= mass * std::log(phi[o][k]);
    }
  }
  return prior + choice + data + entropy_theta + entropy_z;
}

// The bound as the rest of the program puts it together from log_weights.
double bound_of(const Membership& membership, const test::RandomCells& cells, const Vector& gamma) {
  Vector log_weights(gamma.size());
  double bound = membership.log_weights(gamma, log_weights);
  for (std::size_t o = 0; o < cells.count(); ++o) {
    Vector x = log_weights;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += std::log(cells.likelihood(o, k));
    bound += cells.weight(o) * math::log_sum_exp(x);
  }
  return bound;
}

struct Row {
  Row(Pooling pooling, std::size_t components, std::uint64_t seed)
      : cells(pooling, components, seed), membership(mixed_membership.make(components)) {
    core::Rng rng(seed, 3);
    for (std::size_t k = 0; k < components; ++k) alpha.push_back(std::exp(3 * rng.uniform() - 2));
    membership->set_parameters(alpha);
    gamma.resize(components);
    membership->start(cells.total(), gamma);
    EXPECT_TRUE(membership->iterate(cells.in_double(), kTight, gamma));
  }
  test::RandomCells cells;
  std::unique_ptr<Membership> membership;
  Vector alpha, gamma;
};

template <class Body>
void for_each_row(const Body& body) {
  for (const Pooling pooling : {Pooling::none, Pooling::average}) {
    for (const std::size_t components : {2U, 3U, 9U}) {
      for (std::uint64_t seed = 0; seed < 25; ++seed) {
        SCOPED_TRACE("K = " + std::to_string(components) + ", seed " + std::to_string(seed));
        Row row(pooling, components, seed);
        body(row);
      }
    }
  }
}

TEST(Mixed, LogWeightsGiveTheFiveTermBoundAtTheFixedPoint) {
  for_each_row([](Row& row) {
    const double expected =
        five_terms(row.cells, row.alpha, row.gamma, best_phi(row.cells, row.gamma));
    EXPECT_NEAR(bound_of(*row.membership, row.cells, row.gamma), expected,
                1e-11 * (1 + std::abs(expected)));
  });
}

TEST(Mixed, LogWeightsGiveTheFiveTermBoundAnywhere) {
  for_each_row([](Row& row) {
    core::Rng rng(17, 1);
    for (double& g : row.gamma) g = std::exp(4 * rng.uniform() - 2);
    const double expected =
        five_terms(row.cells, row.alpha, row.gamma, best_phi(row.cells, row.gamma));
    EXPECT_NEAR(bound_of(*row.membership, row.cells, row.gamma), expected,
                1e-11 * (1 + std::abs(expected)));
  });
}

TEST(Mixed, GammaIsAlphaPlusTheExpectedCounts) {
  for_each_row([](Row& row) {
    const auto phi = best_phi(row.cells, row.gamma);
    for (std::size_t k = 0; k < row.gamma.size(); ++k) {
      double expected = row.alpha[k];
      for (std::size_t o = 0; o < phi.size(); ++o) expected += row.cells.weight(o) * phi[o][k];
      EXPECT_NEAR(row.gamma[k], expected, 1e-9 * std::max(1.0, row.cells.total()));
    }
  });
}

TEST(Mixed, EveryPerturbationOfTheFixedPointLowersTheBound) {
  for_each_row([](Row& row) {
    const double best = bound_of(*row.membership, row.cells, row.gamma);
    core::Rng rng(23, 1);
    for (int direction = 0; direction < 20; ++direction) {
      Vector moved = row.gamma;
      for (double& g : moved) g *= std::exp(0.02 * rng.normal());
      EXPECT_LT(bound_of(*row.membership, row.cells, moved), best);
    }
  });
}

TEST(Mixed, SweepsNeverLowerTheBound) {
  for_each_row([](Row& row) {
    row.membership->start(row.cells.total(), row.gamma);
    double before = bound_of(*row.membership, row.cells, row.gamma);
    for (int sweep = 0; sweep < 30; ++sweep) {
      ASSERT_TRUE(row.membership->iterate(row.cells.in_double(), {1e-13, 1}, row.gamma));
      const double now = bound_of(*row.membership, row.cells, row.gamma);
      EXPECT_GE(now, before - 1e-11 * (1 + std::abs(before)));
      before = now;
    }
  });
}

// Draws theta and one z for each copy of an observation from q; returns log p(x,z,theta) - log q.
double draw_log_ratio(const std::vector<Vector>& likelihood, const Vector& alpha,
                      const Vector& gamma, const std::vector<Vector>& phi, core::Rng& rng) {
  Vector theta;
  for (const double g : gamma) theta.push_back(rng.gamma(g));
  const double total = sum(theta);
  double ratio = log_beta(gamma) - log_beta(alpha);
  for (std::size_t k = 0; k < theta.size(); ++k)
    ratio += (alpha[k] - gamma[k]) * std::log(theta[k] / total);
  for (std::size_t o = 0; o < likelihood.size(); ++o) {
    double u = rng.uniform();
    std::size_t z = 0;
    while (z + 1 < theta.size() && u > phi[o][z]) u -= phi[o][z++];
    ratio += std::log(theta[z] / total) + std::log(likelihood[o][z]) - std::log(phi[o][z]);
  }
  return ratio;
}

TEST(Mixed, TheBoundIsTheAverageOverDrawsFromQ) {
  const std::vector<Vector> likelihood = {
      {0.9, 0.2, 0.1}, {0.3, 0.8, 0.2}, {0.3, 0.8, 0.2}, {0.1, 0.1, 0.7}, {0.5, 0.4, 0.6}};
  const Vector alpha = {0.6, 0.9, 0.4};
  const auto membership = mixed_membership.make(3);
  membership->set_parameters(alpha);
  Vector rows(5 * 8, 0.0), weight(5, 1.0), norm(5), scratch(kScratch * 8), gamma(3), log_weights(3);
  for (std::size_t o = 0; o < 5; ++o) std::ranges::copy(likelihood[o], &rows[o * 8]);
  membership->start(5, gamma);
  ASSERT_TRUE(membership->iterate(
      {rows.data(), weight.data(), 5, 8, 5.0, norm.data(), scratch.data()}, kTight, gamma));
  double closed = membership->log_weights(gamma, log_weights);
  std::vector<Vector> phi;
  for (const Vector& row : likelihood) {
    Vector p = log_weights;
    for (std::size_t k = 0; k < 3; ++k) p[k] += std::log(row[k]);
    closed += math::softmax(p);
    phi.push_back(p);
  }
  constexpr int kDraws = 200'000;
  core::Rng rng(99, 1);
  double mean = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double off = draw_log_ratio(likelihood, alpha, gamma, phi, rng) - closed;
    mean += off / kDraws;
    squares += off * off / kDraws;
  }
  const double error = std::sqrt((squares - mean * mean) / kDraws);
  EXPECT_LT(error, 0.01);  // the comparison means something
  EXPECT_LT(std::abs(mean), 5 * error);
}

PriorStatistics statistics_of_rows(const Membership& membership, std::size_t components) {
  PriorStatistics result{0, Vector(components, 0.0)};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    test::RandomCells cells(Pooling::none, components, seed);
    Vector state(components), log_weights(components);
    membership.start(cells.total(), state);
    EXPECT_TRUE(membership.iterate(cells.in_double(), kTight, state));
    membership.log_weights(state, log_weights);
    const Vector expected = expected_logs(state);
    for (std::size_t k = 0; k < components; ++k) EXPECT_NEAR(log_weights[k], expected[k], 1e-11);
    membership.collect(state, log_weights, 0.5 + 0.1 * static_cast<double>(seed % 7), result);
  }
  return result;
}

TEST(Mixed, MaximiseNeverLowersTheObjectiveOfThePrior) {
  for (const AlphaMode mode : {AlphaMode::fitted, AlphaMode::symmetric, AlphaMode::fixed}) {
    for (const std::size_t components : {1U, 2U, 3U, 9U}) {
      for (const double start : {1e-3, 0.1, 1.0, 30.0}) {
        const auto membership = mixed_membership.make(components);
        membership->set_parameters(Vector(components, start));
        const PriorStatistics s = statistics_of_rows(*membership, components);
        const double before = math::dirichlet_objective(membership->parameters(), s.sum, s.rows);
        membership->maximise(s, mode);
        const double after = math::dirichlet_objective(membership->parameters(), s.sum, s.rows);
        EXPECT_GE(after, before - 1e-9 * (1 + std::abs(before))) << components << " " << start;
        for (const double a : membership->parameters()) {
          EXPECT_TRUE(a > 0 && std::isfinite(a));
          if (mode == AlphaMode::fixed) {
            EXPECT_EQ(a, start);
          }
          if (mode == AlphaMode::symmetric) {
            EXPECT_EQ(a, membership->parameters()[0]);
          }
        }
      }
    }
  }
}

TEST(Mixed, FittedAlphaIsAStationaryPoint) {
  const auto membership = mixed_membership.make(3);
  membership->set_parameters(Vector{0.2, 0.5, 0.9});
  const PriorStatistics s = statistics_of_rows(*membership, 3);
  membership->maximise(s, AlphaMode::fitted);
  for (const double slope : math::dirichlet_gradient(membership->parameters(), s.sum, s.rows))
    EXPECT_NEAR(slope, 0.0, 1e-5 * s.rows);
}

// E[theta_k^m] of theta ~ Dirichlet(alpha) for whole m: the product of (alpha_k + i) / (alpha_0 +
// i).
TEST(Mixed, SoleWeightsAreMomentsOfTheMembership) {
  const auto membership = mixed_membership.make(3);
  const Vector alpha = {0.2, 0.5, 2.5};
  membership->set_parameters(alpha);
  Vector found(3);
  for (const int m : {1, 2, 7}) {
    membership->one_component_log_prior(m, found);
    Vector truth(3, 0.0);
    for (std::size_t k = 0; k < 3; ++k) {
      for (int i = 0; i < m; ++i) truth[k] += std::log((alpha[k] + i) / (sum(alpha) + i));
    }
    EXPECT_NEAR(found[1] - found[0], truth[1] - truth[0], 1e-12);
    EXPECT_NEAR(found[2] - found[0], truth[2] - truth[0], 1e-12);
  }
  membership->one_component_log_prior(0, found);  // nothing observed: as likely as they are large
  EXPECT_NEAR(found[1] - found[0], std::log(0.5 / 0.2), 1e-12);
}

}  // namespace
}  // namespace medley::memberships
