// SPDX-License-Identifier: Apache-2.0
#include "data/column_roles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace medley::data {
namespace {

using ::testing::HasSubstr;

TEST(FamilyRequest, IsAFamilyWithOrWithoutAShift) {
  EXPECT_EQ(family_request("poisson").family, "poisson");
  EXPECT_EQ(family_request("poisson").shift, 0);
  EXPECT_EQ(family_request("poisson:shift=1").family, "poisson");
  EXPECT_EQ(family_request("poisson:shift=1").shift, 1);
  EXPECT_EQ(family_request("poisson:shift=-2.5").shift, -2.5);
  EXPECT_EQ(family_request("poisson:shift=-2.5").problem, "");
}

TEST(FamilyRequest, SaysWhatItDoesNotUnderstand) {
  EXPECT_THAT(family_request("poisson:shif=1").problem, HasSubstr("not \"shif=1\""));
  EXPECT_THAT(family_request("poisson:shift").problem, HasSubstr("shift=NUMBER"));
  EXPECT_THAT(family_request("poisson:").problem, HasSubstr("shift=NUMBER"));
  EXPECT_THAT(family_request("poisson:shift=one").problem, HasSubstr("a number, not \"one\""));
  EXPECT_THAT(family_request("poisson:shift=inf").problem, HasSubstr("a number, not \"inf\""));
}

}  // namespace
}  // namespace medley::data
