// SPDX-License-Identifier: Apache-2.0
// Five parts by membership entropy, worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "medley/evaluate.hpp"

namespace medley {
namespace {

Evaluation rows_of(const std::vector<RowScore>& rows) {
  Evaluation out;
  out.rows = rows.size();
  out.row = rows;
  return out;
}

RowScore row(double entropy, double log_likelihood, double observations) {
  RowScore out;
  out.entropy = entropy;
  out.log_likelihood = log_likelihood;
  out.observations = observations;
  return out;
}

// Seven rows count: parts of 1, 1, 2, 1, 2. In order of entropy (rows 3 and 5 tie, 3 first; the
// row with nothing observed is left out): 1, 3, 5, 0, 6, 2, 7.
TEST(EntropyQuintiles, HandComputedParts) {
  const Evaluation scores =
      rows_of({row(0.4, -4, 2), row(0.0, -1, 1), row(0.6, -9, 3), row(0.1, -2, 4), row(0.05, 0, 0),
               row(0.1, -3, 2), row(0.5, -5, 5), row(0.7, -6, 1)});
  Dataset data;
  data.rows = 8;
  const Quintiles plain = entropy_quintiles(scores, data);
  EXPECT_DOUBLE_EQ(plain[0], std::exp(1.0 / 1));
  EXPECT_DOUBLE_EQ(plain[1], std::exp(2.0 / 4));
  EXPECT_DOUBLE_EQ(plain[2], std::exp(7.0 / 4));
  EXPECT_DOUBLE_EQ(plain[3], std::exp(5.0 / 5));
  EXPECT_DOUBLE_EQ(plain[4], std::exp(15.0 / 4));
  data.row_weight = {2, 1, 1, 1, 1, 1, 1, 3};
  const Quintiles weighted = entropy_quintiles(scores, data);
  EXPECT_DOUBLE_EQ(weighted[2], std::exp(11.0 / 6));
  EXPECT_DOUBLE_EQ(weighted[4], std::exp(27.0 / 6));
}

TEST(EntropyQuintiles, FewRowsLeavePartsEmpty) {
  Dataset data;
  data.rows = 2;
  const Quintiles parts = entropy_quintiles(rows_of({row(0.2, -2, 1), row(0.1, -1, 1)}), data);
  EXPECT_TRUE(std::isnan(parts[0]) && std::isnan(parts[1]) && std::isnan(parts[3]));
  EXPECT_DOUBLE_EQ(parts[2], std::exp(1.0));
  EXPECT_DOUBLE_EQ(parts[4], std::exp(2.0));
}

}  // namespace
}  // namespace medley
