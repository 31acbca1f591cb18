// SPDX-License-Identifier: Apache-2.0
// Split-merge moves alone, without a step of single rows, visit the exact posterior too.
#include "samplers/split_merge.hpp"

#include <gtest/gtest.h>

#include "samplers/visits.hpp"

namespace medley::samplers {
namespace {

double moves_p(const Small& problem, std::size_t launch_scans, std::size_t draws) {
  DpOptions options = problem.options();
  options.launch_scans = launch_scans;
  const DpModel model(problem.data, options);
  SplitMerge split_merge(model);
  Clusters clusters(model.data(), model.priors());
  Labels labels(model.rows(), 0), names;
  clusters.rebuild(labels, 1);
  core::Rng rng(4, 5);
  return visits_p(problem.exact(), draws, [&]() -> const Labels& {
    for (int i = 0; i < 15; ++i) split_merge.move(problem.concentration, rng, clusters, labels);
    names = labels;
    canonical(names);
    return names;
  });
}

TEST(SplitMerge, MovesAloneVisitThePosterior) {
  const Small problem = one_block(families::bernoulli_family, 5);
  EXPECT_GT(moves_p(problem, 0, 2500), kImpossible);
  EXPECT_GT(moves_p(problem, 2, 2500), kImpossible);
}

TEST(SplitMerge, MovesAloneVisitThePosteriorOfEqualRows) {
  EXPECT_GT(moves_p(equal_rows(), 2, 3000), kImpossible);
}

TEST(SplitMerge, MovesAloneVisitThePosteriorOfMixedBlocks) {
  EXPECT_GT(moves_p(mixed_blocks(5), 1, 2000), kImpossible);
}

// The clusters it leaves are those of its labels.
TEST(SplitMerge, ClustersAndLabelsStayTogether) {
  const Small problem = one_block(families::gaussian_family, 12);
  const DpModel model(problem.data, problem.options());
  SplitMerge split_merge(model);
  Clusters clusters(model.data(), model.priors());
  Labels labels(model.rows(), 0);
  clusters.rebuild(labels, 1);
  core::Rng rng(4, 5);
  std::size_t accepted = 0;
  for (int i = 0; i < 300; ++i) {
    accepted += split_merge.move(3, rng, clusters, labels) ? 1 : 0;
    ASSERT_NEAR(model.log_joint(clusters, 3), model.log_joint(labels, 3), 1e-9);
  }
  EXPECT_GT(accepted, 10U);
}

}  // namespace
}  // namespace medley::samplers
