// SPDX-License-Identifier: Apache-2.0
#include "data/detect_columns.hpp"

#include <gtest/gtest.h>

#include "data/summaries.hpp"

namespace medley::data {
namespace {

TEST(DetectStrayText, NamesTheFewCellsThatAreNoNumbers) {
  std::map<std::string, int> counts = {{"n/a", 3}, {"-", 1}};
  for (int i = 0; i < 20; ++i) counts[std::to_string(i) + ".5"] = 2;
  EXPECT_EQ(stray_text(testing::sample_of_counts(counts).summary),
            "all but 4 of 44 cells are numbers; are \"-\", \"n/a\" missing? `na=\"-\"`");
  counts["n/a"] = 20;
  EXPECT_EQ(stray_text(testing::sample_of_counts(counts).summary), "");
}

TEST(DetectStrayText, SaysNothingOfTextNumbersAndCodes) {
  EXPECT_EQ(stray_text(testing::sample_of_counts({{"a", 5}, {"b", 7}}).summary), "");
  EXPECT_EQ(stray_text(testing::sample_of_counts({{"1", 50}, {"2", 70}, {"3+", 4}}).summary), "");
  std::map<std::string, int> numbers;
  for (int i = 0; i < 20; ++i) numbers[std::to_string(i)] = 2;
  EXPECT_EQ(stray_text(testing::sample_of_counts(numbers).summary), "");
}

}  // namespace
}  // namespace medley::data
