// SPDX-License-Identifier: Apache-2.0
#include "samplers/clusters.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "samplers/visits.hpp"

namespace medley::samplers {
namespace {

TEST(Clusters, LabelsAreNumberedInOrderOfAppearance) {
  Labels labels = {7, 2, 7, 0, 2, 9};
  EXPECT_EQ(canonical(labels), 4U);
  EXPECT_EQ(labels, (Labels{0, 1, 0, 2, 1, 3}));
}

// Rows wander between clusters that open and close; at every moment the weights are those of
// clusters built from the labels alone, whose marginals are closed forms.
TEST(Clusters, WeightsFollowTheRows) {
  const Small problem = mixed_blocks(12);
  const DpModel model(problem.data, problem.options());
  Clusters clusters(model.data(), model.priors());
  Labels labels(12, 0);
  clusters.rebuild(labels, 1);
  core::Rng rng(1, 1);
  for (int i = 0; i < 400; ++i) {
    const std::size_t row = rng.below(12), old = clusters.position(labels[row]);
    clusters.remove(row, old);
    if (clusters.size(old) == 0) clusters.close(old);
    std::vector<double> found(clusters.count());
    clusters.log_weights(model.data(), row, found.data());
    for (std::size_t k = 0; k < clusters.count(); ++k) {
      std::vector<std::size_t> rows;
      for (std::size_t other = 0; other < 12; ++other) {
        if (other != row && labels[other] == clusters.id(k)) rows.push_back(other);
      }
      double truth = std::log(static_cast<double>(rows.size())) - model.log_base(model.data(), row);
      for (std::size_t b = 0; b < 4; ++b) {
        const Block& block = problem.data.blocks[b];
        truth -= test::plain_marginal(block, rows, problem.priors[b].plain);
        rows.push_back(row);
        truth += test::plain_marginal(block, rows, problem.priors[b].plain);
        rows.pop_back();
      }
      ASSERT_NEAR(found[k], truth, 1e-9);
    }
    std::size_t to = rng.below(clusters.count() + 1);
    if (to == clusters.count()) to = clusters.open();
    clusters.add(row, to);
    labels[row] = clusters.id(to);
  }
}

// Three times a row, and two of them away again, is that row.
TEST(Clusters, EqualRowsMayComeAndGoTogether) {
  const Small problem = mixed_blocks(6);
  const DpModel model(problem.data, problem.options());
  Clusters at_once(model.data(), model.priors()), in_turn(model.data(), model.priors());
  at_once.clear(1);
  in_turn.clear(1);
  at_once.add(0, 0, 3);
  for (int i = 0; i < 3; ++i) in_turn.add(0, 0);
  EXPECT_EQ(at_once.size(0), 3);
  EXPECT_NEAR(at_once.log_marginal(0), in_turn.log_marginal(0), 1e-9);
  at_once.remove(0, 0, 2);
  at_once.add(1, 0);
  double truth = 0, found = 0;
  for (std::size_t b = 0; b < 4; ++b) {
    const std::vector<std::size_t> rows = {0, 1};
    const Block& block = problem.data.blocks[b];
    truth += test::plain_marginal(block, rows, problem.priors[b].plain);
  }
  found =
      at_once.log_marginal(0) + model.log_base(model.data(), 0) + model.log_base(model.data(), 1);
  EXPECT_NEAR(found, truth, 1e-9);
}

}  // namespace
}  // namespace medley::samplers
