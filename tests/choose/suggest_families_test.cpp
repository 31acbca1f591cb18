// SPDX-License-Identifier: Apache-2.0
// Which columns of a file are ranked, with missing codes left out.
#include <gtest/gtest.h>

#include "core/rng.hpp"
#include "core/temporary_folder.hpp"
#include "medley/error.hpp"
#include "medley/select.hpp"

namespace medley {
namespace {

TEST(SuggestFamilies, RanksNumbersOnlyAndLeavesMissingCodesOut) {
  const testing::TemporaryFolder folder;
  std::string text = "id,sex,height,colour,amount\n";
  for (std::size_t i = 0; i < 200; ++i) {
    core::Rng rng(2, 3, i);
    text += "row" + std::to_string(i) + (i % 2 == 0 ? ",f," : ",m,");
    text += i % 10 == 0 ? "-9" : std::to_string(170 + 8 * rng.normal());
    text += i % 3 == 0 ? ",red," : ",blue,";
    text += i % 7 == 0 ? "?\n" : std::to_string(rng.gamma(0.8)) + "\n";
  }
  testing::put_content(folder / "t.csv", text);
  ReadOptions reading;
  reading.id = "id";
  reading.na = {"-9"};
  const std::vector<ColumnRanking> rankings =
      suggest_families({{"", folder / "t.csv"}}, reading, {});
  ASSERT_EQ(rankings.size(), 2U);
  EXPECT_EQ(rankings[0].column, "height");
  EXPECT_EQ(rankings[0].cells, 180U);
  EXPECT_EQ(rankings[0].inferred, "gaussian");
  EXPECT_NE(rankings[0].find("lognormal"), nullptr);  // the code -9 would rule it out
  EXPECT_EQ(rankings[1].column, "amount");
  EXPECT_EQ(rankings[1].cells, 171U);
  EXPECT_NE(describe(rankings).find("height: numbers in steps of 1e-06, 180 cells"),
            std::string::npos);
}

TEST(SuggestFamilies, RefusesWhatIsNoTable) {
  const testing::TemporaryFolder folder;
  testing::put_content(folder / "d.ldac", "1 0:1\n1 1:1\n");
  EXPECT_THROW((void)suggest_families({{"", folder / "d.ldac"}}, {}, {}), InputError);
  EXPECT_THROW((void)suggest_families({{"", "-"}}, {}, {}), InputError);
}

}  // namespace
}  // namespace medley
