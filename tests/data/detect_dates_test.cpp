// SPDX-License-Identifier: Apache-2.0
#include "data/dates.hpp"

#include <gtest/gtest.h>

#include "data/summaries.hpp"

namespace medley::data {
namespace {

TEST(DetectDates, InTheFormsPeopleWriteThem) {
  for (const char* text : {"2024-03-01",
                           "2024/3/1",
                           "2024.03.01",
                           "2024-03",
                           "20240301",
                           "1/3/24",
                           "31.12.1999",
                           "12/31/1999",
                           "1-3-2024",
                           "01-Jan-1995",
                           "1 March 2024",
                           "March 1, 2024",
                           "Mar 2024",
                           "14:05",
                           "2:05 pm",
                           "23:59:59.250",
                           "2024-03-01T14:05:00Z",
                           "2024-03-01 14:05",
                           "2024-03-01T14:05:00+01:00",
                           "1/3/2024 2:05 PM",
                           "2024-03-01T14:05:00.123-0500"}) {
    EXPECT_TRUE(is_date(text)) << text;
  }
}

TEST(DetectDates, NeverInNumbersNamesAndCodes) {
  for (const char* text : {"",
                           "1999",
                           "2024",
                           "3.14",
                           "-5",
                           "12345678",
                           "20241301",
                           "20240340",
                           "1.2.3",
                           "32.13.2024",
                           "13/13/2024",
                           "2024-13",
                           "2024-3-32",
                           "10-20",
                           "1/2",
                           "May",
                           "5 apples 20",
                           "25:00",
                           "14:60",
                           "a 14:05",
                           "2024-03-01 x",
                           "192.168.0.1",
                           "01-Jax-1995",
                           "A-2024-03-01",
                           "2024-03-01T",
                           "123456789012345678901234567890-01-01"}) {
    EXPECT_FALSE(is_date(text)) << text;
  }
}

TEST(DetectDates, InAColumnOnlyIfEveryValueIsOne) {
  EXPECT_TRUE(holds_dates(testing::sample({"2024-03-01", "", "2024-03-02 10:00"}).summary));
  EXPECT_FALSE(holds_dates(testing::sample({"2024-03-01", "soon"}).summary));
  EXPECT_FALSE(holds_dates(testing::sample({"1987", "2001", "2012"}).summary));
  EXPECT_FALSE(holds_dates(testing::sample({""}).summary));
}

}  // namespace
}  // namespace medley::data
