// SPDX-License-Identifier: Apache-2.0
// What every membership must do, whatever it is: one test for the whole registry. What is special
// to mixed or single membership is in mixed_test.cpp and single_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "memberships/random_cells.hpp"
#include "memberships/registry.hpp"

namespace medley::memberships {
namespace {

constexpr Limits kTight{1e-13, 20'000};
constexpr std::size_t kComponents[] = {1, 2, 3, 9};

std::unique_ptr<Membership> with_random_prior(const MembershipEntry& entry, std::size_t components,
                                              std::uint64_t seed) {
  core::Rng rng(seed, 91);
  std::vector<double> prior(components);
  for (double& v : prior) v = 0.3 + rng.uniform();
  const double total = std::accumulate(prior.begin(), prior.end(), 0.0);
  if (entry.sole) {
    for (double& v : prior) v /= total;
  }
  auto membership = entry.make(components);
  if (entry.counts) {  // shape and rate, then anything
    const std::size_t width = membership->parameters().size() / components;
    std::vector<double> parameters;
    for (std::size_t k = 0; k < components; ++k) {
      parameters.push_back(20 * prior[k]);
      parameters.push_back(20);
      for (std::size_t j = 2; j < width; ++j) parameters.push_back(rng.normal());
    }
    membership->set_parameters(parameters);
  } else {
    membership->set_parameters(prior);
  }
  return membership;
}

// How rows of a membership may reach the kernel.
std::vector<Pooling> poolings(const MembershipEntry& entry) {
  if (entry.sole) return {Pooling::sum};
  return entry.averages ? std::vector{Pooling::none, Pooling::average} : std::vector{Pooling::none};
}

// Calls body(membership, cells) for every member, pooling, size and a few seeds.
template <class Body>
void for_each_problem(const Body& body) {
  for (const auto* entry : registry()) {
    for (const Pooling pooling : poolings(*entry)) {
      for (const std::size_t components : kComponents) {
        for (std::uint64_t seed = 0; seed < 15; ++seed) {
          SCOPED_TRACE(std::string(entry->name) + ", pooling " +
                       std::to_string(static_cast<int>(pooling)) +
                       ", K = " + std::to_string(components) + ", seed " + std::to_string(seed));
          const auto membership = with_random_prior(*entry, components, seed);
          body(*membership, test::RandomCells(pooling, components, seed));
        }
      }
    }
  }
}

std::vector<double> solved(const Membership& membership, test::RandomCells& cells) {
  std::vector<double> state(membership.state_size());
  membership.start(cells.total(), state);
  EXPECT_TRUE(membership.iterate(cells.in_double(), kTight, state));
  return state;
}

TEST(Memberships, NamesAreUniqueAndFound) {
  for (const auto* entry : registry()) {
    EXPECT_EQ(find(entry->name), entry);
    const auto membership = entry->make(2);
    EXPECT_EQ(&membership->entry(), entry);
    EXPECT_EQ(membership->located() != nullptr, entry->located) << entry->name;
    EXPECT_EQ(membership->constant(3) != 0, entry->counts) << entry->name;
    EXPECT_FALSE(entry->dirichlet && entry->sole) << entry->name;
  }
  EXPECT_EQ(find("no-such-membership"), nullptr);
}

std::vector<double> shares_of(const Membership& membership, const std::vector<double>& state) {
  std::vector<double> share(membership.components());
  membership.shares(state, share);
  return share;
}

TEST(Memberships, SharesSumToOne) {
  for_each_problem([](const Membership& membership, test::RandomCells cells) {
    const std::vector<double> share = shares_of(membership, solved(membership, cells));
    EXPECT_NEAR(std::accumulate(share.begin(), share.end(), 0.0), 1.0, 1e-12);
    EXPECT_GE(*std::ranges::min_element(share), 0.0);
  });
}

// What a row holds is the mean over its observations of their responsibilities, added up here by
// hand.
TEST(Memberships, HeldIsTheMeanOfTheResponsibilities) {
  for_each_problem([](const Membership& membership, test::RandomCells cells) {
    const std::vector<double> state = solved(membership, cells);
    const std::size_t components = membership.components();
    std::vector<double> log_weights(components), expected(components, 0.0), held(components);
    membership.log_weights(state, log_weights);
    for (std::size_t o = 0; o < cells.count(); ++o) {
      double norm = 0;
      for (std::size_t k = 0; k < components; ++k)
        norm += std::exp(log_weights[k]) * cells.likelihood(o, k);
      for (std::size_t k = 0; k < components; ++k)
        expected[k] += cells.weight(o) / cells.total() * std::exp(log_weights[k]) *
                       cells.likelihood(o, k) / norm;
    }
    membership.held(state, held);
    for (std::size_t k = 0; k < components; ++k) EXPECT_NEAR(held[k], expected[k], 1e-6);
  });
}

TEST(Memberships, ARowOfSizeZeroStartsAtThePrior) {
  for_each_problem([](const Membership& membership, const test::RandomCells&) {
    if (membership.entry().counts) return;  // that it holds so little says something
    const auto prior = membership.parameters();
    const double total = std::accumulate(prior.begin(), prior.end(), 0.0);
    std::vector<double> state(prior.size()), share(prior.size()), log_weights(prior.size());
    membership.start(0, state);
    membership.shares(state, share);
    for (std::size_t k = 0; k < prior.size(); ++k) EXPECT_NEAR(share[k], prior[k] / total, 1e-12);
    EXPECT_NEAR(membership.log_weights(state, log_weights), 0.0, 1e-10);
  });
}

TEST(Memberships, FloatDoubleAndLogSpaceAgree) {
  for_each_problem([](const Membership& membership, test::RandomCells cells) {
    const std::vector<double> in_double = shares_of(membership, solved(membership, cells));
    std::vector<double> state(membership.state_size());
    membership.start(cells.total(), state);
    ASSERT_TRUE(membership.iterate(cells.in_float(), {1e-7, 20'000}, state));
    const std::vector<double> in_float = shares_of(membership, state);
    membership.start(cells.total(), state);
    membership.iterate_log(cells.in_logs(), kTight, state);
    const std::vector<double> in_logs = shares_of(membership, state);
    // What is climbed to a maximum is known to the root of the precision of its height.
    const bool climbed = &membership.entry() == &correlated_membership;
    for (std::size_t k = 0; k < in_double.size(); ++k) {
      EXPECT_NEAR(in_float[k], in_double[k], climbed ? 3e-3 : 1e-4);
      EXPECT_NEAR(in_logs[k], in_double[k], climbed ? 1e-6 : 1e-9);
    }
  });
}

// The weights of a row's components are at most 1: they are (geometric means of) probabilities.
TEST(Memberships, LogWeightsAreFiniteAndNotAboveZero) {
  for_each_problem([](const Membership& membership, test::RandomCells cells) {
    std::vector<double> log_weights(membership.components());
    EXPECT_TRUE(std::isfinite(membership.log_weights(solved(membership, cells), log_weights)));
    const double most = membership.entry().counts ? 30 : 1e-12;  // amounts may be above 1
    for (const double w : log_weights) EXPECT_TRUE(std::isfinite(w) && w <= most) << w;
  });
}

TEST(Memberships, AnUnderflowIsReportedAndLogSpaceCopes) {
  for (const auto* entry : registry()) {
    const auto membership = entry->make(2, {.a0 = 1e-12, .b0 = 1, .dimension = 1});
    std::vector<double> prior = {1 - 1e-12, 1e-12};
    if (entry->counts) {
      prior = {10, 10, 1e-12, 10};
      if (membership->parameters().size() > 4) prior = {10, 10, 0, 1e-12, 10, 0};
    }
    membership->set_parameters(prior);
    // A cell that no component explains; a likelihood row so small was never scaled.
    std::vector<double> likelihood(8, 0.0), norm(1), scratch(kScratch * 8), logs(8, 0.0);
    likelihood[0] = 1e-300;
    likelihood[1] = 1e-300;
    logs[0] = logs[1] = std::log(1e-300);
    const double weight = 1;
    const Cells<double> cells{likelihood.data(), &weight, 1, 8, 1.0, norm.data(), scratch.data()};
    Cells<double> in_logs = cells;
    in_logs.rows = logs.data();
    std::vector<double> state(membership->state_size()), share(2);
    membership->start(1, state);
    EXPECT_FALSE(membership->iterate(cells, kTight, state)) << entry->name;
    membership->start(1, state);
    membership->iterate_log(in_logs, kTight, state);
    membership->shares(state, share);
    EXPECT_NEAR(share[0] + share[1], 1.0, 1e-12);
    EXPECT_GT(share[0], 0.99);
  }
}

TEST(Memberships, PermutingThePriorPermutesTheResult) {
  for_each_problem([](const Membership& membership, test::RandomCells cells) {
    const std::size_t components = membership.components();
    std::vector<std::size_t> order(components);
    for (std::size_t k = 0; k < components; ++k) order[k] = (k + 1) % components;
    const auto permuted = membership.entry().make(components);
    permuted->set_parameters(membership.parameters());
    permuted->permute(order);
    const std::size_t width = membership.parameters().size() / components;
    for (std::size_t k = 0; k < components; ++k) {
      for (std::size_t j = 0; j < width; ++j)
        ASSERT_EQ(permuted->parameters()[k * width + j],
                  membership.parameters()[order[k] * width + j]);
    }
    const std::vector<double> before = shares_of(membership, solved(membership, cells));
    cells.permute(order);
    const std::vector<double> after = shares_of(*permuted, solved(*permuted, cells));
    const bool climbed = &membership.entry() == &correlated_membership;
    for (std::size_t k = 0; k < components; ++k)
      EXPECT_NEAR(after[k], before[order[k]], climbed ? 1e-6 : 1e-9);
  });
}

TEST(Memberships, CollectIsLinearInTheRowWeight) {
  for_each_problem([](const Membership& membership, test::RandomCells cells) {
    const std::size_t components = membership.components();
    const std::vector<double> state = solved(membership, cells);
    std::vector<double> log_weights(components);
    membership.log_weights(state, log_weights);
    PriorStatistics once = membership.empty_statistics(), twice = once;
    membership.collect(state, log_weights, 2.5, once);
    membership.collect(state, log_weights, 1.0, twice);
    membership.collect(state, log_weights, 1.5, twice);
    EXPECT_DOUBLE_EQ(once.rows, 2.5);
    EXPECT_DOUBLE_EQ(twice.rows, 2.5);
    for (std::size_t i = 0; i < once.sum.size(); ++i)
      EXPECT_NEAR(once.sum[i], twice.sum[i], 1e-12 * std::max(1.0, std::abs(once.sum[i])));
  });
}

// E theta and E theta theta^T in closed form against draws; and each row of the products sums to
// the mean, because theta sums to 1.
TEST(Memberships, PriorMomentsAreThoseOfTheDraws) {
  constexpr std::size_t kDraws = 20'000;
  for (const auto* entry : registry()) {
    for (const std::size_t components : kComponents) {
      const auto membership = with_random_prior(*entry, components, 5);
      const PriorMoments moments = membership->prior_moments();
      std::vector<double> mean(components, 0.0), product(components * components, 0.0);
      std::vector<double> share(components);
      for (std::size_t i = 0; i < kDraws; ++i) {
        core::Rng rng(1, 79, i);
        membership->draw(rng, share);
        for (std::size_t k = 0; k < components; ++k) {
          mean[k] += share[k] / kDraws;
          for (std::size_t l = 0; l < components; ++l)
            product[k * components + l] += share[k] * share[l] / kDraws;
        }
      }
      for (std::size_t k = 0; k < components; ++k) {
        double row = 0;
        EXPECT_NEAR(moments.mean[k], mean[k], 5 * 0.5 / std::sqrt(kDraws)) << entry->name;
        for (std::size_t l = 0; l < components; ++l) {
          const std::size_t at = k * components + l;
          EXPECT_NEAR(moments.product[at], product[at], 5 * 0.5 / std::sqrt(kDraws)) << entry->name;
          row += moments.product[at];
        }
        EXPECT_NEAR(row, moments.mean[k], 1e-12) << entry->name;
      }
    }
  }
}

// The mean of the draws is the prior's mean, and every draw is a share, however small the prior.
TEST(Memberships, DrawsAreSharesWithThePriorsMean) {
  constexpr std::size_t kDraws = 20'000;
  for (const auto* entry : registry()) {
    const auto membership = with_random_prior(*entry, 3, 4);
    const std::vector<double> prior =
        entry->counts
            ? membership->prior_moments().mean
            : std::vector<double>(membership->parameters().begin(), membership->parameters().end());
    const double total = std::accumulate(prior.begin(), prior.end(), 0.0);
    std::vector<double> mean(3, 0.0), share(3);
    for (std::size_t i = 0; i < kDraws; ++i) {
      core::Rng rng(1, 77, i);
      membership->draw(rng, share);
      ASSERT_NEAR(std::accumulate(share.begin(), share.end(), 0.0), 1.0, 1e-12);
      for (std::size_t k = 0; k < 3; ++k) mean[k] += share[k] / kDraws;
    }
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(mean[k], prior[k] / total, 5 * 0.5 / std::sqrt(kDraws)) << entry->name;
  }
  const auto tiny = mixed_membership.make(4);
  tiny->set_parameters(std::vector<double>(4, 1e-5));
  std::vector<double> share(4);
  for (std::size_t i = 0; i < 100; ++i) {
    core::Rng rng(2, 78, i);
    tiny->draw(rng, share);
    EXPECT_NEAR(std::accumulate(share.begin(), share.end(), 0.0), 1.0, 1e-12);
  }
}

// A prior is the maximum given the statistics that it recalls, wherever the search begins.
TEST(Memberships, RecallIsTheInverseOfMaximise) {
  for (const auto* entry : registry()) {
    for (const std::size_t components : {2U, 3U, 9U}) {
      const auto membership = with_random_prior(*entry, components, 4);
      PriorStatistics statistics;
      ASSERT_TRUE(membership->recall(50, statistics)) << entry->name;
      EXPECT_DOUBLE_EQ(statistics.rows, 50);
      const auto other = entry->make(components);
      for (int step = 0; step < 50; ++step) other->maximise(statistics, AlphaMode::fitted);
      const std::vector<double> shown = membership->shown(), again = other->shown();
      for (std::size_t k = 0; k < components; ++k)
        EXPECT_NEAR(again[k], shown[k], 1e-6 * shown[k]) << entry->name;
    }
  }
}

}  // namespace
}  // namespace medley::memberships
