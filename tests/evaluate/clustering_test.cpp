// SPDX-License-Identifier: Apache-2.0
#include "evaluate/match.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

namespace medley::evaluation {
namespace {

using Clusters = std::vector<std::size_t>;
using Classes = std::vector<std::int32_t>;

// Table of counts: cluster 0 has classes (3, 1), cluster 1 has (0, 4).
TEST(Clustering, HandComputedExample) {
  const Agreement a = agreement(Clusters{0, 0, 0, 0, 1, 1, 1, 1}, Classes{0, 0, 0, 1, 1, 1, 1, 1});
  EXPECT_EQ(a.rows, 8U);
  EXPECT_DOUBLE_EQ(a.micro_precision, 7.0 / 8);
  const double mutual = 3.0 / 8 * std::log((3.0 / 8) / (1.0 / 2 * 3.0 / 8)) +
                        1.0 / 8 * std::log((1.0 / 8) / (1.0 / 2 * 5.0 / 8)) +
                        4.0 / 8 * std::log((4.0 / 8) / (1.0 / 2 * 5.0 / 8));
  const double of_clusters = std::log(2.0);
  const double of_classes = -(3.0 / 8 * std::log(3.0 / 8) + 5.0 / 8 * std::log(5.0 / 8));
  EXPECT_NEAR(a.mutual_information, mutual, 1e-14);
  EXPECT_NEAR(a.mutual_information, 0.3804, 5e-5);
  EXPECT_NEAR(a.nmi, mutual / ((of_clusters + of_classes) / 2), 1e-14);
}

TEST(Clustering, PerfectAgreementIsOneWhateverTheNumbers) {
  const Agreement a = agreement(Clusters{5, 5, 2, 2, 9}, Classes{1, 1, 0, 0, 7});
  EXPECT_DOUBLE_EQ(a.micro_precision, 1.0);
  EXPECT_NEAR(a.nmi, 1.0, 1e-14);
}

TEST(Clustering, IndependenceIsZero) {
  const Agreement a = agreement(Clusters{0, 0, 1, 1}, Classes{0, 1, 0, 1});
  EXPECT_NEAR(a.mutual_information, 0.0, 1e-15);
  EXPECT_NEAR(a.nmi, 0.0, 1e-15);
  EXPECT_DOUBLE_EQ(a.micro_precision, 0.5);
}

TEST(Clustering, ConstantClustersSayNothing) {
  const Agreement a = agreement(Clusters{0, 0, 0, 0}, Classes{0, 1, 1, 1});
  EXPECT_DOUBLE_EQ(a.micro_precision, 0.75);
  EXPECT_EQ(a.mutual_information, 0.0);
  EXPECT_EQ(a.nmi, 0.0);
  EXPECT_DOUBLE_EQ(agreement(Clusters{3, 3}, Classes{1, 1}).nmi, 1.0);
}

TEST(Clustering, RowsOfUnknownClassAreSkipped) {
  const Agreement some = agreement(Clusters{0, 1, 0, 0, 1, 1}, Classes{0, -1, 0, 1, 1, -1});
  const Agreement known = agreement(Clusters{0, 0, 0, 1}, Classes{0, 0, 1, 1});
  EXPECT_EQ(some.rows, 4U);
  EXPECT_EQ(some.micro_precision, known.micro_precision);
  EXPECT_EQ(some.mutual_information, known.mutual_information);
  EXPECT_EQ(some.nmi, known.nmi);
}

TEST(Clustering, NoKnownClassGivesZeros) {
  const Agreement a = agreement(Clusters{0, 1}, Classes{-1, -1});
  EXPECT_EQ(a.rows, 0U);
  EXPECT_EQ(a.micro_precision, 0.0);
  EXPECT_EQ(a.nmi, 0.0);
}

RC_GTEST_PROP(Clustering, NamesOfClustersAndClassesDoNotMatter, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 40);
  const auto clusters = *rc::gen::container<Clusters>(size, rc::gen::inRange<std::size_t>(0, 4));
  const auto classes = *rc::gen::container<Classes>(size, rc::gen::inRange<std::int32_t>(-1, 3));
  Clusters other_clusters;
  Classes other_classes;
  for (const std::size_t c : clusters) other_clusters.push_back((c * 3 + 2) % 4);
  for (const std::int32_t c : classes) other_classes.push_back(c < 0 ? c : (c + 1) % 3);
  const Agreement a = agreement(clusters, classes);
  const Agreement b = agreement(other_clusters, other_classes);
  RC_ASSERT(a.rows == b.rows);
  RC_ASSERT(std::abs(a.micro_precision - b.micro_precision) < 1e-12);
  RC_ASSERT(std::abs(a.mutual_information - b.mutual_information) < 1e-12);
  RC_ASSERT(std::abs(a.nmi - b.nmi) < 1e-9);
  RC_ASSERT(a.nmi >= 0 && a.nmi <= 1 + 1e-12);
  RC_ASSERT(a.micro_precision >= 0 && a.micro_precision <= 1 + 1e-12);
}

}  // namespace
}  // namespace medley::evaluation
