// SPDX-License-Identifier: Apache-2.0
// The smoothing that fits tables: the log-probability written out with lgamma, its slope by finite
// differences, and a planted value found again.
#include "families/dirichlet_tables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/rng.hpp"

namespace medley::families {
namespace {

constexpr std::size_t kComponents = 5, kPadded = 8;

struct Tables {
  std::vector<std::uint32_t> first_slot;
  std::vector<double> counts;
  [[nodiscard]] CountTables view() const { return {counts, first_slot, kComponents, kPadded}; }
};

// Counts of `many` observations per feature and component under probabilities ~ Dirichlet(e); with
// `fractions` every observation is split between its slot and the next one.
Tables planted(double e, const std::vector<std::size_t>& slots, std::size_t many, bool fractions) {
  Tables out;
  out.first_slot = {0};
  for (const std::size_t r : slots)
    out.first_slot.push_back(out.first_slot.back() + static_cast<std::uint32_t>(r));
  out.counts.assign(out.first_slot.back() * kPadded, 0.0);
  for (std::size_t f = 0; f < slots.size(); ++f) {
    for (std::size_t k = 0; k < kComponents; ++k) {
      core::Rng rng(21, f, k);
      std::vector<double> p;
      double sum = 0;
      for (std::size_t r = 0; r < slots[f]; ++r) sum += p.emplace_back(rng.gamma(e));
      for (std::size_t i = 0; i < many; ++i) {
        double u = rng.uniform() * sum;
        std::size_t r = 0;
        while (r + 1 < slots[f] && u > p[r]) u -= p[r++];
        const std::size_t next = (r + 1) % slots[f];
        out.counts[(out.first_slot[f] + r) * kPadded + k] += fractions ? 0.7 : 1.0;
        if (fractions) out.counts[(out.first_slot[f] + next) * kPadded + k] += 0.3;
      }
    }
  }
  return out;
}

double plain(const Tables& t, double e) {
  double value = 0;
  for (std::size_t f = 0; f + 1 < t.first_slot.size(); ++f) {
    const double all = e * static_cast<double>(t.first_slot[f + 1] - t.first_slot[f]);
    for (std::size_t k = 0; k < kComponents; ++k) {
      double n = 0;
      for (std::size_t s = t.first_slot[f]; s < t.first_slot[f + 1]; ++s) {
        value += std::lgamma(t.counts[s * kPadded + k] + e) - std::lgamma(e);
        n += t.counts[s * kPadded + k];
      }
      value += std::lgamma(all) - std::lgamma(n + all);
    }
  }
  return value;
}

TEST(DirichletSmoothing, TheEvidenceIsThePolyaLikelihoodAndItsSlope) {
  for (const bool fractions : {false, true}) {
    const Tables t = planted(0.2, {30, 2, 7}, 40, fractions);
    for (const double e : {0.001, 0.05, 0.2, 3.0}) {
      const Evidence found = evidence(t.view(), e);
      EXPECT_NEAR(found.value, plain(t, e), 1e-9 * std::abs(plain(t, e)));
      const double step = 1e-5 * e;
      const double slope = (plain(t, e + step) - plain(t, e - step)) / (2 * step);
      EXPECT_NEAR(found.rise - found.fall, slope, 1e-4 * (1 + std::abs(slope)));
    }
  }
}

TEST(DirichletSmoothing, APlantedValueIsFound) {
  for (const double e : {0.02, 0.3, 1.5}) {
    const Tables t = planted(e, {400, 100}, 3000, false);
    double found = 0.01;
    for (int i = 0; i < 200; ++i) found = better_smoothing(t.view(), found);
    EXPECT_NEAR(found, e, 0.1 * e);
    const double step = 1e-4 * found;
    EXPECT_NEAR((plain(t, found + step) - plain(t, found - step)) / (2 * step) * found, 0.0, 0.1);
  }
}

TEST(DirichletSmoothing, NoStepLowersTheEvidence) {
  for (const bool fractions : {false, true}) {
    Tables t = planted(0.05, {50, 3}, 30, fractions);
    for (const double scale : {1.0, 0.01}) {
      for (double& c : t.counts) c *= scale;
      for (const double start : {1e-5, 0.01, 100.0}) {
        double e = start;
        for (int i = 0; i < 50; ++i) {
          const double next = better_smoothing(t.view(), e);
          EXPECT_GE(plain(t, next), plain(t, e) - 1e-9);
          e = next;
        }
      }
    }
  }
}

// A count that is 1 with probability p and else 0, of every slot: the mean of F over all tables has
// a closed form, and so does what the means and the probabilities of any give.
TEST(DirichletSmoothing, MeansOfUnknownCountsAreTakenApart) {
  constexpr double kP = 0.1, kE = 0.05;
  Tables t = planted(kE, {40}, 0, false);
  std::vector<float> present(t.counts.size(), 0.0F);
  for (std::size_t s = 0; s < 40; ++s) {
    for (std::size_t k = 0; k < kComponents; ++k) {
      t.counts[s * kPadded + k] = kP;
      present[s * kPadded + k] = static_cast<float>(kP);
    }
  }
  CountTables view = t.view();
  view.present = present;
  const double cells = 40.0 * kComponents;
  // digamma(1 + e) - digamma(e) = 1 / e
  EXPECT_NEAR(evidence(view, kE).rise, cells * kP / kE, 1e-4 * cells * kP / kE);
  // The means alone say much more: digamma(p + e) - digamma(e) is 14, and p / e is 2.
  EXPECT_GT(evidence(t.view(), kE).rise, 5 * cells * kP / kE);
}

TEST(DirichletSmoothing, WithoutCountsItStaysWhereItIs) {
  const Tables t = planted(0.05, {5}, 0, false);
  EXPECT_EQ(better_smoothing(t.view(), 0.3), 0.3);
}

}  // namespace
}  // namespace medley::families
