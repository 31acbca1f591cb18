// SPDX-License-Identifier: Apache-2.0
// The check that chains are held to (visits.hpp) sees mistakes: chains written down here plainly,
// over the table of all partitions, pass it, and fail it with one thing wrong.
#include "samplers/visits.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.hpp"

namespace medley::samplers {
namespace {

struct Plain {
  Small problem = equal_rows();
  Exact exact = problem.exact();
  Labels labels = Labels(7, 0);
  core::Rng rng = core::Rng(8, 9);

  [[nodiscard]] double joint(Labels of) const {
    canonical(of);
    return exact.log_joint[exact.at.at(of)];
  }
  std::uint32_t clusters() { return static_cast<std::uint32_t>(canonical(labels)); }
};

// One row after the other. `keep_empty`: clusters that lost their last row are still there to be
// chosen, each as likely as a new one.
double gibbs_p(bool keep_empty) {
  Plain plain;
  double most = 1;  // clusters there have ever been
  return visits_p(plain.exact, 2500, [&]() -> const Labels& {
    for (std::size_t step = 0; step < 2 * plain.labels.size(); ++step) {
      const std::size_t row = step % plain.labels.size();
      const std::uint32_t count = plain.clusters();
      Labels to = plain.labels;
      const bool alone = std::count(to.begin(), to.end(), to[row]) == 1;
      const std::uint32_t new_one = alone ? to[row] : count;
      most = std::max(most, static_cast<double>(count));
      const double empty = keep_empty ? most - count + (alone ? 1 : 0) : 0;
      std::vector<double> weight;
      double sum = 0;
      for (std::uint32_t k = 0; k < (alone ? count : count + 1); ++k) {
        to[row] = k;
        weight.push_back(std::exp(plain.joint(to)) * (k == new_one ? 1 + empty : 1));
        sum += weight.back();
      }
      double left = plain.rng.uniform() * sum;
      std::uint32_t k = 0;
      while (k + 1 < weight.size() && (left -= weight[k]) >= 0) ++k;
      plain.labels[row] = k;
    }
    plain.clusters();
    return plain.labels;
  });
}

TEST(Visits, AnEmptyClusterThatIsKeptIsSeen) {
  EXPECT_GT(gibbs_p(false), kImpossible);
  EXPECT_LT(gibbs_p(true), kImpossible);
}

// Splits by coins and mergers: two clusters (or one) picked at random and two rows in them, as
// SplitMerge does it; the split of the n - 2 others has probability 2^-(n - 2).
enum class Ratio { whole, without_q, without_picks };

double split_merge_p(Ratio ratio) {
  Plain plain;
  const auto move = [&] {
    const std::uint32_t count = plain.clusters();
    const bool split = plain.rng.uniform() < 0.5;
    if (!split && count < 2) return;
    const std::size_t one = plain.rng.below(count);
    std::size_t other = one;
    while (!split && other == one) other = plain.rng.below(count);
    std::vector<std::size_t> rows[2];
    for (std::size_t i = 0; i < 7; ++i) {
      if (plain.labels[i] == one) rows[0].push_back(i);
      if (plain.labels[i] == other) rows[1].push_back(i);
    }
    if (split && rows[0].size() < 2) return;
    const std::size_t i = rows[0][plain.rng.below(rows[0].size())];
    std::size_t j = i;
    while (j == i) j = rows[1][plain.rng.below(rows[1].size())];
    Labels to = plain.labels;
    double sizes[2] = {0, 0};  // of the two where they are apart
    for (std::size_t row = 0; row < 7; ++row) {
      if (to[row] != one && to[row] != other) continue;
      const bool first =
          row == i || (row != j && (split ? plain.rng.uniform() < 0.5 : to[row] == one));
      ++sizes[first ? 0 : 1];
      to[row] = split && first ? count : static_cast<std::uint32_t>(other);
    }
    const double n = sizes[0] + sizes[1], k = split ? count : count - 1.0;
    const double log_q = ratio == Ratio::without_q ? 0 : (2 - n) * std::log(2.0);
    const double picks =
        ratio == Ratio::without_picks ? 0 : std::log(n * (n - 1) / ((k + 1) * sizes[0] * sizes[1]));
    const double back = split ? picks - log_q : log_q - picks;
    if (std::log(plain.rng.uniform()) < plain.joint(to) - plain.joint(plain.labels) + back)
      plain.labels = to;
  };
  return visits_p(plain.exact, 2500, [&]() -> const Labels& {
    for (int step = 0; step < 30; ++step) move();
    plain.clusters();
    return plain.labels;
  });
}

TEST(Visits, AProposalRatioLeftOutIsSeen) {
  EXPECT_GT(split_merge_p(Ratio::whole), kImpossible);
  EXPECT_LT(split_merge_p(Ratio::without_q), kImpossible);
  EXPECT_LT(split_merge_p(Ratio::without_picks), kImpossible);
}

}  // namespace
}  // namespace medley::samplers
