// SPDX-License-Identifier: Apache-2.0
// Conjugate priors against closed forms written down in plain_marginal.hpp, against integrals of
// the plain densities, and against what they say of themselves when rows come and go.
#include "families/conjugate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "families/registry.hpp"
#include "medley/error.hpp"
#include "support/plain_density.hpp"
#include "support/plain_marginal.hpp"
#include "support/toy.hpp"

namespace medley::families {
namespace {

std::vector<const FamilyEntry*> conjugate_families() {
  std::vector<const FamilyEntry*> all;
  for (const FamilyEntry* entry : registry()) {
    if (entry->conjugate != nullptr) all.push_back(entry);
  }
  return all;
}

class EveryConjugate : public testing::TestWithParam<const FamilyEntry*> {
 protected:
  // Cells of row 1 twice over: replicates. Words have counts anyhow.
  static Block with_replicates(const FamilyEntry& entry) {
    Block block = test::random_block(entry, 9, 5, 0.25);
    const auto begin = block.row_start[1], end = block.row_start[2];
    for (auto c = begin; c < end; ++c) {
      const auto at = static_cast<std::ptrdiff_t>(begin + 2 * (c - begin));
      block.slot.insert(block.slot.begin() + at, block.slot[static_cast<std::size_t>(at)]);
      if (!block.weight.empty())
        block.weight.insert(block.weight.begin() + at, block.weight[static_cast<std::size_t>(at)]);
      if (!block.value.empty())
        block.value.insert(block.value.begin() + at, block.value[static_cast<std::size_t>(at)] +
                                                         (entry.refusal(0.5).empty() ? 0.5 : 1));
    }
    for (std::size_t row = 2; row < block.row_start.size(); ++row)
      block.row_start[row] += end - begin;
    return block;
  }

  const FamilyEntry& entry_ = *GetParam();
  Block block_ = with_replicates(entry_);
  test::GivenPrior prior_ = test::some_prior(block_);
  std::unique_ptr<Conjugate> conjugate_ = entry_.conjugate(block_, prior_.option);

  [[nodiscard]] std::vector<double> statistics_of(const std::vector<std::size_t>& rows) const {
    std::vector<double> statistics(conjugate_->size(), 0.0);
    for (const std::size_t row : rows) conjugate_->add(block_, row, statistics.data());
    return statistics;
  }
  [[nodiscard]] double base_of(const std::vector<std::size_t>& rows) const {
    double sum = 0;
    for (const std::size_t row : rows) sum += conjugate_->log_base(block_, row);
    return sum;
  }
};

TEST_P(EveryConjugate, TheMarginalIsTheClosedForm) {
  for (const std::vector<std::size_t>& rows :
       {std::vector<std::size_t>{}, {0}, {1}, {2, 3}, {0, 1, 4, 8}, {0, 1, 2, 3, 4, 5, 6, 7, 8}}) {
    EXPECT_NEAR(conjugate_->log_marginal(statistics_of(rows).data()) + base_of(rows),
                test::plain_marginal(block_, rows, prior_.plain), 1e-10);
  }
}

TEST_P(EveryConjugate, ThePredictiveIsTheDifferenceOfMarginals) {
  std::vector<std::size_t> rows;
  for (const std::size_t row : {3U, 1U, 7U, 0U, 5U}) {
    const double before = test::plain_marginal(block_, rows, prior_.plain);
    const double predictive = conjugate_->log_predictive(block_, row, statistics_of(rows).data());
    rows.push_back(row);
    EXPECT_NEAR(predictive, test::plain_marginal(block_, rows, prior_.plain) - before, 1e-10);
  }
}

TEST_P(EveryConjugate, WhatIsAddedCanBeRemoved) {
  const std::vector<double> before = statistics_of({2, 6});
  std::vector<double> after = before;
  conjugate_->add(block_, 1, after.data());
  conjugate_->remove(block_, 1, after.data());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-12);
  // Cell by cell is the row.
  std::vector<double> cells = before, row = before;
  for (auto c = block_.row_start[1]; c < block_.row_start[2]; ++c)
    conjugate_->add_cell(block_, c, cells.data());
  conjugate_->add(block_, 1, row.data());
  EXPECT_EQ(cells, row);
  for (auto c = block_.row_start[2]; c-- > block_.row_start[1];)
    conjugate_->remove_cell(block_, c, cells.data());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(cells[i], before[i], 1e-12);
}

TEST_P(EveryConjugate, TablesFollowTheStatistics) {
  const std::size_t stride = 3;
  std::vector<double> table(conjugate_->table_size() * stride, 0.0), fresh = table;
  std::vector<double> statistics = statistics_of({0, 4});
  conjugate_->tabulate(statistics.data(), &table[1], stride);
  conjugate_->add(block_, 1, statistics.data());
  conjugate_->retabulate(block_, 1, statistics.data(), &table[1], stride);
  conjugate_->tabulate(statistics.data(), &fresh[1], stride);
  EXPECT_EQ(table, fresh);
}

TEST_P(EveryConjugate, ClustersSideBySideAreScoredAsAlone) {
  const std::vector<std::vector<std::size_t>> groups = {{0, 4}, {}, {2, 3, 5}};
  std::vector<double> statistics, table(conjugate_->table_size() * 4);
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const std::vector<double> own = statistics_of(groups[k]);
    statistics.insert(statistics.end(), own.begin(), own.end());
    conjugate_->tabulate(own.data(), &table[k], 4);
  }
  for (std::size_t row = 0; row < 9; ++row) {
    std::vector<double> total(3, conjugate_->log_base(block_, row));
    conjugate_->add_log_predictives(block_, row, {statistics.data(), table.data(), 4, 3},
                                    total.data());
    for (std::size_t k = 0; k < groups.size(); ++k)
      EXPECT_NEAR(total[k],
                  conjugate_->log_predictive(block_, row, statistics_of(groups[k]).data()), 1e-12);
  }
}

// Of the parameters' posterior: the draws average to the mean, and each is one the family takes.
TEST_P(EveryConjugate, DrawsAverageToThePosteriorMean) {
  const std::vector<double> statistics = statistics_of({0, 1, 2, 3, 4, 5});
  const auto family = entry_.make(block_, 1);
  const std::size_t rows = family->parameters().size() / family->padded();
  std::vector<double> drawn(rows, 1.0), mean(rows, 1.0), sum(rows, 0.0), squares(rows, 0.0);
  conjugate_->posterior_mean(statistics.data(), mean);
  constexpr double kDraws = 20000;
  core::Rng rng(1, 2);
  for (double i = 0; i < kDraws; ++i) {
    conjugate_->draw(statistics.data(), rng, drawn);
    for (std::size_t r = 0; r < rows; ++r) {
      sum[r] += drawn[r];
      squares[r] += drawn[r] * drawn[r];
    }
    if (i < 3) {
      std::vector<double> table(family->parameters().begin(), family->parameters().end());
      for (std::size_t r = 0; r < rows; ++r) table[r * family->padded()] = drawn[r];
      family->set_parameters(table);
      EXPECT_EQ(entry_.invalid_reason(*family), "");
    }
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const double average = sum[r] / kDraws;
    const double error = std::sqrt(std::max(squares[r] / kDraws - average * average, 0.0) / kDraws);
    EXPECT_NEAR(average, mean[r], 5.5 * error + 1e-12) << r;
  }
}

TEST_P(EveryConjugate, ItsPriorMakesItAgain) {
  const auto by_default = entry_.conjugate(block_, {});
  const auto again = entry_.conjugate(block_, by_default->prior());
  const std::vector<double> statistics(conjugate_->size(), 0.0);
  for (std::size_t row = 0; row < 9; ++row) {
    const double alone = by_default->log_predictive(block_, row, statistics.data());
    EXPECT_TRUE(std::isfinite(alone));
    EXPECT_EQ(alone, again->log_predictive(block_, row, statistics.data()));
  }
}

TEST_P(EveryConjugate, APriorThatIsNoneIsRefused) {
  const std::vector<double> many(99, 1.0);
  EXPECT_THROW((void)entry_.conjugate(block_, many), InputError);
  std::vector<double> zero = prior_.option;
  zero.back() = 0;
  EXPECT_THROW((void)entry_.conjugate(block_, zero), InputError);
}

INSTANTIATE_TEST_SUITE_P(Families, EveryConjugate, testing::ValuesIn(conjugate_families()),
                         [](const auto& param) { return std::string(param.param->name); });

TEST(Conjugate, FamiliesWithoutOneSaySo) {
  EXPECT_EQ(gamma_family.conjugate, nullptr);
  EXPECT_EQ(conjugate_families().size(), registry().size() - 1);
}

// The integral of exp(f) from 0 to infinity, in the logarithm of the variable.
double integral(const std::function<double(double)>& log_f) {
  double sum = 0;
  constexpr double kStep = 0.1;
  for (double y = -30; y < 12; y += kStep) sum += std::exp(log_f(std::exp(y)) + y) * kStep;
  return std::log(sum);
}

double gamma_log_density(double x, double a, double b) {
  return a * std::log(b) - std::lgamma(a) + (a - 1) * std::log(x) - b * x;
}

// Prior times plain density, integrated by adding up: no formula of conjugacy is used.
TEST(Conjugate, MarginalsAreTheIntegrals) {
  const std::vector<double> x = {2, 0, 5, 1};
  const auto likelihood = [&](const std::string& family, const test::Named& p) {
    double sum = 0;
    for (const double v : x) sum += test::plain_log_density(family, p, v);
    return sum;
  };
  for (const std::string family : {"poisson", "exponential"}) {
    const double truth = integral([&](double rate) {
      return gamma_log_density(rate, 1.3, 0.6) + likelihood(family, {{"rate", rate}});
    });
    EXPECT_NEAR(test::plain_number_marginal(family, x, {1.3, 0.6}), truth, 1e-7) << family;
  }
  const double geometric = integral([&](double odds) {
    const double p = odds / (1 + odds);
    return std::lgamma(1.9) - std::lgamma(1.3) - std::lgamma(0.6) + 0.3 * std::log(p) -
           0.4 * std::log1p(-p) - 2 * std::log1p(odds) + likelihood("geometric", {{"p", p}});
  });
  EXPECT_NEAR(test::plain_number_marginal("geometric", x, {1.3, 0.6}), geometric, 1e-4);
  const double gaussian = integral([&](double variance) {
    double sum = 0;
    for (double mu = -20; mu < 20; mu += 0.1)
      sum += 0.1 * std::exp(test::normal_log_density(mu, 0.7, variance / 0.4) +
                            likelihood("gaussian", {{"mu", mu}, {"var", variance}}));
    return std::log(std::max(sum, 1e-300)) + gamma_log_density(1 / variance, 1.8, 0.9) -
           2 * std::log(variance);
  });
  EXPECT_NEAR(test::plain_number_marginal("gaussian", x, {0.7, 0.4, 1.8, 0.9}), gaussian, 1e-5);
}

// Measurements of 1e8 with a spread of 1: sums of squares about 0 would have lost them.
TEST(Conjugate, GaussianKeepsItsDigitsFarFromZero) {
  const std::vector<std::vector<double>> near = {{0.5}, {-1.25}, {2}, {0.75}};
  std::vector<std::vector<double>> far = near;
  for (auto& row : far) row[0] += 1e8;
  const Block near_block = test::real_block("gaussian", near, 1);
  const Block far_block = test::real_block("gaussian", far, 1);
  const auto at_zero = gaussian_conjugate(near_block, std::vector<double>{0.1, 0.2, 2, 0.5});
  const auto away = gaussian_conjugate(far_block, std::vector<double>{1e8 + 0.1, 0.2, 2, 0.5});
  std::vector<double> one(3, 0.0), other(3, 0.0);
  for (std::size_t row = 0; row < 3; ++row) {
    at_zero->add(near_block, row, one.data());
    away->add(far_block, row, other.data());
  }
  EXPECT_NEAR(at_zero->log_predictive(near_block, 3, one.data()),
              away->log_predictive(far_block, 3, other.data()), 1e-6);
}

TEST(Conjugate, AColumnsShiftIsTakenOff) {
  const Block plain = test::real_block("poisson", {{0}, {3}, {1}}, 1);
  const Block shifted = test::real_block("poisson", {{1}, {4}, {2}}, 1, 1);
  const std::vector<double> nothing(2, 0.0);
  for (std::size_t row = 0; row < 3; ++row)
    EXPECT_DOUBLE_EQ(poisson_conjugate(plain, {})->log_predictive(plain, row, nothing.data()),
                     poisson_conjugate(shifted, {})->log_predictive(shifted, row, nothing.data()));
}

}  // namespace
}  // namespace medley::families
