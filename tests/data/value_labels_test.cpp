// SPDX-License-Identifier: Apache-2.0
#include "data/side_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace medley::data {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const ValueLabels kRegions = {{"2", "South"}, {"1", "North"}, {"3", "East"}};

TEST(ValueLabels, FollowTheLevelsAndStandInForThemselves) {
  EXPECT_THAT(labels_of({"1", "2", "9"}, kRegions), ElementsAre("North", "South", "9"));
  EXPECT_THAT(labels_of({"7", "8"}, kRegions), IsEmpty());
  EXPECT_THAT(labels_of({"1"}, {}), IsEmpty());
}

TEST(ValueLabels, MakeCodesOfNumbersIfEveryOneHasAMeaning) {
  EXPECT_TRUE(all_labelled({"1", "2"}, kRegions));
  EXPECT_FALSE(all_labelled({"1", "4"}, kRegions));
  EXPECT_FALSE(all_labelled({}, kRegions));
}

}  // namespace
}  // namespace medley::data
