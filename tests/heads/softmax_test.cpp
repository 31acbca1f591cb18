// SPDX-License-Identifier: Apache-2.0
#include "heads/softmax.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/rng.hpp"

namespace medley::heads {
namespace {

constexpr std::size_t kComponents = 4, kClasses = 3;

std::vector<double> random_numbers(std::size_t count, std::uint64_t stream, double scale) {
  core::Rng rng(7, stream, 0);
  std::vector<double> out(count);
  for (double& value : out) value = scale * (rng.uniform() - 0.5);
  return out;
}

std::vector<double> random_simplex(std::size_t count, std::uint64_t stream) {
  std::vector<double> out = random_numbers(count, stream, 4);
  double sum = 0;
  for (double& value : out) sum += (value = std::exp(value));
  for (double& value : out) value /= sum;
  return out;
}

Softmax random_head(Bound bound, double smoothing = 0, double weight = 1) {
  Softmax head(kComponents, kClasses, bound, weight, smoothing);
  head.set_eta(random_numbers(kComponents * kClasses, 1, 5));
  return head;
}

// phibar . offset + rest, with the offset of a row of size m times m.
double bound_of(const Softmax& head, std::size_t y, const std::vector<double>& phibar, double xi) {
  constexpr double kSize = 5;
  std::vector<double> offset(kComponents);
  double sum = head.offset(y, kSize, xi, offset);
  for (std::size_t k = 0; k < kComponents; ++k) sum += kSize * phibar[k] * offset[k];
  return sum;
}

// E log p(y | zbar) where zbar is a vertex with probabilities phibar, by hand.
double at_vertices(const Softmax& head, std::size_t y, const std::vector<double>& phibar) {
  double sum = 0;
  for (std::size_t k = 0; k < kComponents; ++k) {
    double norm = 0;
    for (std::size_t h = 0; h < kClasses; ++h) norm += std::exp(head.eta()[h * kComponents + k]);
    sum += phibar[k] * (head.eta()[y * kComponents + k] - std::log(norm));
  }
  return sum;
}

double log_softmax(const Softmax& head, std::size_t y, const std::vector<double>& zbar) {
  double own = 0, norm = 0;
  for (std::size_t h = 0; h < kClasses; ++h) {
    double score = 0;
    for (std::size_t k = 0; k < kComponents; ++k)
      score += head.eta()[h * kComponents + k] * zbar[k];
    norm += std::exp(score);
    if (h == y) own = score;
  }
  return own - std::log(norm);
}

TEST(Softmax, LastClassIsTheReference) {
  const Softmax head = random_head(Bound::lse);
  for (std::size_t k = 0; k < kComponents; ++k)
    EXPECT_EQ(head.eta()[(kClasses - 1) * kComponents + k], 0.0);
}

TEST(Softmax, LseIsExactWhenEveryObservationAgrees) {
  const Softmax head = random_head(Bound::lse);
  const auto phibar = random_simplex(kComponents, 2);
  for (std::size_t y = 0; y < kClasses; ++y)
    EXPECT_NEAR(bound_of(head, y, phibar, 1), at_vertices(head, y, phibar), 1e-12);
}

// paper's bound <= lse <= log p(y | zbar) for any zbar, at any xi.
TEST(Softmax, BoundsAreOrdered) {
  const Softmax lse = random_head(Bound::lse);
  const Softmax paper = random_head(Bound::paper);
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    const auto zbar = random_simplex(kComponents, 10 + trial);
    for (std::size_t y = 0; y < kClasses; ++y) {
      const double exact = log_softmax(lse, y, zbar);
      const double tight = bound_of(lse, y, zbar, 1);
      EXPECT_LE(tight, exact + 1e-12);
      for (const double xi : {0.5, 1.0, paper.xi(zbar), 7.0})
        EXPECT_LE(bound_of(paper, y, zbar, xi), tight + 1e-12);
    }
  }
}

TEST(Softmax, XiIsTheBestOne) {
  const Softmax head = random_head(Bound::paper);
  const auto phibar = random_simplex(kComponents, 3);
  const double xi = head.xi(phibar);
  for (const double other : {xi * 0.99, xi * 1.01})
    EXPECT_LT(bound_of(head, 0, phibar, other), bound_of(head, 0, phibar, xi));
}

// The closed form of eta has a zero gradient: central differences of the summed bound plus prior.
class Maximum : public testing::TestWithParam<Bound> {};
TEST_P(Maximum, HasNoGradient) {
  Softmax head = random_head(GetParam(), 0.3, 1.7);
  constexpr std::size_t kRows = 9;
  std::vector<std::vector<double>> phibar;
  std::vector<double> xi, row_weight;
  Statistics statistics = head.empty_statistics();
  for (std::size_t i = 0; i < kRows; ++i) {
    phibar.push_back(random_simplex(kComponents, 100 + i));
    xi.push_back(head.xi(phibar[i]));
    row_weight.push_back(1 + 0.5 * static_cast<double>(i % 3));
    head.collect(i % kClasses, phibar[i], xi[i], row_weight[i], statistics);
  }
  head.maximise(statistics);
  const auto objective = [&](const std::vector<double>& eta) {
    Softmax other = head;
    other.set_eta(eta);
    double sum = other.log_prior();
    for (std::size_t i = 0; i < kRows; ++i)
      sum += row_weight[i] * bound_of(other, i % kClasses, phibar[i], xi[i]);
    return sum;
  };
  const std::vector<double> best(head.eta().begin(), head.eta().end());
  constexpr double kStep = 1e-4;
  for (std::size_t at = 0; at < (kClasses - 1) * kComponents; ++at) {
    std::vector<double> up = best, down = best;
    up[at] += kStep;
    down[at] -= kStep;
    EXPECT_NEAR((objective(up) - objective(down)) / (2 * kStep), 0.0, 1e-6) << "eta " << at;
    EXPECT_LT(objective(up), objective(best));
  }
}
INSTANTIATE_TEST_SUITE_P(Bounds, Maximum, testing::Values(Bound::lse, Bound::paper));

TEST(Softmax, AClassThatNeverUsesAComponentKeepsAFiniteEta) {
  for (const Bound bound : {Bound::lse, Bound::paper}) {
    Softmax head(2, 2, bound, 1, 0.01);
    Statistics statistics = head.empty_statistics();
    head.collect(0, std::vector<double>{1, 0}, 1, 1, statistics);
    head.collect(1, std::vector<double>{0, 1}, 1, 1, statistics);
    head.maximise(statistics);
    for (const double eta : head.eta()) EXPECT_TRUE(std::isfinite(eta));
    if (bound == Bound::lse) {
      EXPECT_GT(head.log_probability()[0], std::log(0.9));
    }
  }
}

TEST(Softmax, ClassesOfARowAreTheSoftmax) {
  const Softmax head = random_head(Bound::lse);
  const auto zbar = random_simplex(kComponents, 5);
  std::vector<double> out(kClasses);
  head.log_classes(zbar, out);
  for (std::size_t y = 0; y < kClasses; ++y) EXPECT_NEAR(out[y], log_softmax(head, y, zbar), 1e-12);
}

TEST(Softmax, PermutesItsComponents) {
  const Softmax head = random_head(Bound::lse);
  Softmax other = head;
  other.permute(std::vector<std::size_t>{2, 0, 3, 1});
  for (std::size_t h = 0; h < kClasses; ++h)
    EXPECT_EQ(other.eta()[h * kComponents], head.eta()[h * kComponents + 2]);
}

}  // namespace
}  // namespace medley::heads
