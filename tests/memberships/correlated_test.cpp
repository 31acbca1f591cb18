// SPDX-License-Identifier: Apache-2.0
// Correlated non-negative matrix factorisation: what every membership must do is in
// conformance_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "memberships/count_vectors.hpp"
#include "memberships/random_cells.hpp"
#include "memberships/registry.hpp"

namespace medley::memberships {
namespace {

// The whole bound of a hand-made factorisation at given locations, from an independent program. It
// counts the normalisers of the normal densities, and gives an empty document alpha = log 1e-300.
TEST(Correlated, BoundOfAFactorisationIsTheOracles) {
  const test::RateTable table;
  const double sigma2 = 0.5;
  const std::vector<std::vector<double>> ell = {{0.5, -0.2}, {-0.3, 0.4}};
  const std::vector<std::vector<double>> u = {{0.1, 0.2}, {-0.5, 0.3}, {0, 0}, {0.2, 0.1}};
  const auto membership =
      correlated_membership.make(2, {.c0 = table.c0, .dimension = 2, .sigma2 = sigma2});
  membership->set_parameters(std::vector<double>{table.total(0), table.h[0], ell[0][0], ell[0][1],
                                                 table.total(1), table.h[1], ell[1][0], ell[1][1]});
  double bound = table.table_part() + membership->log_prior();
  bound -= 2 * std::log(2 * std::numbers::pi * sigma2);  // of two locations in two dimensions
  for (std::size_t d = 0; d < u.size(); ++d) {
    const auto& document = test::kCounts[d];
    double m = 0, expected = 0;
    for (const double x : document) m += x;
    for (std::size_t k = 0; k < 2; ++k)
      expected += table.total(k) / table.h[k] * std::exp(ell[k][0] * u[d][0] + ell[k][1] * u[d][1]);
    const double alpha = m > 0 ? std::log(m / expected) : std::log(1e-300);
    std::vector<double> state = {u[d][0], u[d][1], alpha, 0, 0}, log_weights(2);
    const double rest = membership->log_weights(state, log_weights);
    bound += test::data_part(table, document, log_weights) + rest - test::log_factorials(document) -
             std::log(2 * std::numbers::pi);
  }
  EXPECT_NEAR(bound, -36.7606316046, 1e-8);
}

struct Problem {
  std::unique_ptr<Membership> membership;
  test::RandomCells cells;
};

Problem random_problem(std::uint64_t seed, std::size_t components = 4, std::size_t dimension = 2) {
  core::Rng rng(seed, 7);
  auto membership =
      correlated_membership.make(components, {.c0 = 3, .dimension = dimension, .sigma2 = 0.5});
  std::vector<double> parameters;
  for (std::size_t k = 0; k < components; ++k) {
    parameters.push_back(5 + 10 * rng.uniform());
    parameters.push_back(10);
    for (std::size_t j = 0; j < dimension; ++j) parameters.push_back(rng.normal());
  }
  membership->set_parameters(parameters);
  return {std::move(membership), test::RandomCells(Pooling::none, components, seed)};
}

// The row's part of the bound at a location, alpha at its best.
double bound_at(const Membership& membership, const test::RandomCells& cells,
                std::span<const double> u) {
  const std::size_t components = membership.components();
  std::vector<double> state(membership.state_size(), 0.0), log_weights(components);
  std::copy(u.begin(), u.end(), state.begin());
  double expected = 0;  // at alpha = 0
  membership.log_weights(state, log_weights);
  const auto scales = membership.shown();
  const std::size_t width = membership.parameters().size() / components;
  for (std::size_t k = 0; k < components; ++k) {
    double along = 0;
    for (std::size_t j = 0; j < u.size(); ++j)
      along += membership.parameters()[k * width + 2 + j] * u[j];
    expected += scales[k] * std::exp(along);
  }
  state[u.size()] = std::log(cells.total() / expected);
  double bound = membership.log_weights(state, log_weights);
  for (std::size_t o = 0; o < cells.count(); ++o) {
    double p = 0;
    for (std::size_t k = 0; k < components; ++k)
      p += std::exp(log_weights[k]) * cells.likelihood(o, k);
    bound += cells.weight(o) * std::log(p);
  }
  return bound;
}

// Where a row settles the bound is flat in every direction, and higher than at the start.
TEST(Correlated, ARowSettlesWhereTheBoundIsFlat) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Problem p = random_problem(seed);
    std::vector<double> state(p.membership->state_size());
    p.membership->start(p.cells.total(), state);
    ASSERT_TRUE(p.membership->iterate(p.cells.in_double(), {1e-10, 1000}, state));
    std::vector<double> u(state.begin(), state.begin() + 2);
    const double here = bound_at(*p.membership, p.cells, u);
    EXPECT_GE(here, bound_at(*p.membership, p.cells, std::vector<double>{0, 0}));
    for (std::size_t j = 0; j < 2; ++j) {
      constexpr double kStep = 1e-4;
      std::vector<double> more = u, less = u;
      more[j] += kStep;
      less[j] -= kStep;
      const double slope =
          (bound_at(*p.membership, p.cells, more) - bound_at(*p.membership, p.cells, less)) /
          (2 * kStep);
      EXPECT_NEAR(slope, 0, 1e-5) << seed;
    }
  }
}

// Rows that hold something at known places, as records: what the M-step of the locations sees.
PriorStatistics some_records(const Membership& membership, std::size_t rows) {
  PriorStatistics out = membership.empty_statistics();
  core::Rng rng(3, 8);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<double> state, log_weights(membership.components());
    for (std::size_t j = 0; j < 2; ++j) state.push_back(rng.normal());
    state.push_back(0.5 * rng.normal());
    for (std::size_t k = 0; k < membership.components(); ++k) state.push_back(3 * rng.uniform());
    membership.log_weights(state, log_weights);
    membership.collect(state, log_weights, 1 + rng.uniform(), out);
  }
  return out;
}

// sum_rows w (n_k l.u - E s_k exp(alpha + l.u)) - |l|^2 / (2 sigma2) of one component.
double location_height(const PriorStatistics& from, std::size_t components, std::size_t k,
                       double scale, std::span<const double> l, double sigma2) {
  const std::size_t size = 4 + components;
  double sum = -(l[0] * l[0] + l[1] * l[1]) / (2 * sigma2);
  for (std::size_t at = 0; at < from.records.size(); at += size) {
    const double along = l[0] * from.records[at + 2] + l[1] * from.records[at + 3];
    sum += from.records[at] *
           (from.records[at + 4 + k] * along - scale * std::exp(from.records[at + 1] + along));
  }
  return sum;
}

// After the M-step each component's location is where its objective is flat (up to the common shift
// that centres them), the scale being the new one.
TEST(Correlated, LocationsClimbToWhereTheirObjectiveIsFlat) {
  Problem p = random_problem(2, 3);
  const PriorStatistics from = some_records(*p.membership, 40);
  for (int i = 0; i < 3; ++i) p.membership->maximise(from, AlphaMode::fitted);
  const std::size_t width = 4;
  // The shift common to all that brings the first component to its own maximum.
  const auto slopes = [&](std::size_t k, double dx, double dy) {
    std::vector<double> out;
    const double* own = &p.membership->parameters()[k * width + 2];
    for (std::size_t j = 0; j < 2; ++j) {
      constexpr double kStep = 1e-5;
      std::vector<double> more = {own[0] + dx, own[1] + dy}, less = more;
      more[j] += kStep;
      less[j] -= kStep;
      const double scale = p.membership->shown()[k];
      out.push_back((location_height(from, 3, k, scale, more, 0.5) -
                     location_height(from, 3, k, scale, less, 0.5)) /
                    (2 * kStep));
    }
    return out;
  };
  double dx = 0, dy = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto g = slopes(0, dx, dy);
    dx += 1e-3 * g[0];
    dy += 1e-3 * g[1];
  }
  for (std::size_t k = 0; k < 3; ++k) {
    for (const double slope : slopes(k, dx, dy)) EXPECT_NEAR(slope, 0, 1e-3) << k;
  }
}

// The step on part of the rows is rho times Newton's step of the whole.
TEST(Correlated, AStepOnAMinibatchIsAShareOfNewtons) {
  Problem p = random_problem(5, 3);
  PriorStatistics from = some_records(*p.membership, 30);
  from.scale = 7;
  from.rho = 0.01;
  const std::vector<double> before(p.membership->parameters().begin(),
                                   p.membership->parameters().end());
  p.membership->maximise(from, AlphaMode::fitted);
  std::vector<double> step(6), mean(2, 0.0);
  for (std::size_t k = 0; k < 3; ++k) {
    const double scale = p.membership->shown()[k];
    double g[2] = {-before[4 * k + 2] / 0.5, -before[4 * k + 3] / 0.5}, h[3] = {2, 0, 2};
    for (std::size_t at = 0; at < from.records.size(); at += 7) {
      const double* r = &from.records[at];
      const double lambda =
          scale * std::exp(r[1] + before[4 * k + 2] * r[2] + before[4 * k + 3] * r[3]);
      for (int j = 0; j < 2; ++j) g[j] += 7 * r[0] * (r[4 + k] - lambda) * r[2 + j];
      h[0] += 7 * r[0] * lambda * r[2] * r[2];
      h[1] += 7 * r[0] * lambda * r[2] * r[3];
      h[2] += 7 * r[0] * lambda * r[3] * r[3];
    }
    const double det = h[0] * h[2] - h[1] * h[1];
    step[2 * k] = 0.01 * (h[2] * g[0] - h[1] * g[1]) / det;
    step[2 * k + 1] = 0.01 * (h[0] * g[1] - h[1] * g[0]) / det;
  }
  for (std::size_t j = 0; j < 2; ++j) {
    double shift = 0;  // that centres
    for (std::size_t k = 0; k < 3; ++k) shift += (before[4 * k + 2 + j] + step[2 * k + j]) / 3;
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(p.membership->parameters()[4 * k + 2 + j],
                  before[4 * k + 2 + j] + step[2 * k + j] - shift, 1e-10);
  }
}

// The mean over records of u u^T + (I + m Cov(l))^-1 in two dimensions, term by term.
std::vector<double> moment_of(const Membership& membership, const PriorStatistics& from) {
  const std::size_t components = membership.components(), size = 4 + components;
  std::vector<double> out(4, 0.0);
  double all = 0;
  for (std::size_t at = 0; at < from.records.size(); at += size) {
    const double* record = &from.records[at];
    std::vector<double> state(record + 2, record + 4), share(components);
    state.resize(membership.state_size());
    membership.shares(state, share);
    double m = 0, mean[2] = {0, 0}, p[4] = {1, 0, 0, 1};
    for (std::size_t k = 0; k < components; ++k) {
      m += record[4 + k];
      for (std::size_t j = 0; j < 2; ++j)
        mean[j] += share[k] * membership.located()->component_location(k)[j];
    }
    for (std::size_t k = 0; k < components; ++k) {
      const auto l = membership.located()->component_location(k);
      for (std::size_t i = 0; i < 4; ++i)
        p[i] += m * share[k] * (l[i / 2] - mean[i / 2]) * (l[i % 2] - mean[i % 2]);
    }
    const double det = p[0] * p[3] - p[1] * p[2];
    const double inverse[4] = {p[3] / det, -p[1] / det, -p[2] / det, p[0] / det};
    for (std::size_t i = 0; i < 4; ++i)
      out[i] += record[0] * (record[2 + i / 2] * record[2 + i % 2] + inverse[i]);
    all += record[0];
  }
  for (double& x : out) x /= all;
  return out;
}

// l_i . S l_j of all components.
std::vector<double> covariance_of(const Membership& membership, std::span<const double> moment) {
  std::vector<double> out;
  for (std::size_t i = 0; i < membership.components(); ++i) {
    for (std::size_t j = 0; j < membership.components(); ++j) {
      const auto a = membership.located()->component_location(i),
                 b = membership.located()->component_location(j);
      out.push_back(a[0] * (moment[0] * b[0] + moment[1] * b[1]) +
                    a[1] * (moment[2] * b[0] + moment[3] * b[1]));
    }
  }
  return out;
}

const std::vector<double> kOne = {1, 0, 0, 1};

void centre_locations(Membership& membership) {
  std::vector<double> parameters(membership.parameters().begin(), membership.parameters().end());
  const std::size_t components = membership.components();
  for (std::size_t j = 2; j < 4; ++j) {
    double mean = 0;
    for (std::size_t k = 0; k < components; ++k)
      mean += parameters[4 * k + j] / static_cast<double>(components);
    for (std::size_t k = 0; k < components; ++k) parameters[4 * k + j] -= mean;
  }
  membership.set_parameters(parameters);
}

// After settling l_i . l_j is the covariance that rows have given what is known of them; the prior
// of the locations is too weak to show.
TEST(Correlated, SettledLocationsHaveTheCovarianceOfTheRows) {
  const auto membership = correlated_membership.make(3, {.c0 = 3, .dimension = 2, .sigma2 = 1e9});
  membership->set_parameters(random_problem(2, 3).membership->parameters());
  centre_locations(*membership);
  const PriorStatistics from = some_records(*membership, 40);
  const std::vector<double> wanted = covariance_of(*membership, moment_of(*membership, from));
  const double moved = membership->located()->settle(from);
  const std::vector<double> found = covariance_of(*membership, kOne);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(found[i], wanted[i], 1e-6);
  EXPECT_GT(moved, 0.05);
}

TEST(Correlated, WithoutRowsNothingIsToSettle) {
  const Problem p = random_problem(3, 3);
  const auto before = p.membership->located()->component_location(1);
  EXPECT_EQ(p.membership->located()->settle(p.membership->empty_statistics()), 0);
  EXPECT_EQ(p.membership->located()->component_location(1), before);
}

// Rows in which components 0 and 1 come and go together start with locations on one side.
TEST(Correlated, BeginsWithComponentsThatOccurTogether) {
  const auto membership = correlated_membership.make(4, {.dimension = 3});
  std::vector<double> counts;
  core::Rng rng(1, 9);
  for (int row = 0; row < 500; ++row) {
    const double pair = std::exp(rng.normal()), third = std::exp(rng.normal());
    for (const double level : {pair, pair, third, std::exp(rng.normal())})
      counts.push_back(20 * level);
  }
  membership->located()->begin_with(counts);
  const auto cosine = [&](std::size_t i, std::size_t j) {
    const auto a = membership->located()->component_location(i),
               b = membership->located()->component_location(j);
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      ab += a[d] * b[d];
      aa += a[d] * a[d];
      bb += b[d] * b[d];
    }
    return ab / std::sqrt(aa * bb);
  };
  EXPECT_GT(cosine(0, 1), 0.9);
  EXPECT_LT(cosine(0, 2), 0);
  EXPECT_LT(cosine(1, 3), 0);
}

}  // namespace
}  // namespace medley::memberships
