// SPDX-License-Identifier: Apache-2.0
// Columns that describe no row are left out with a word of why, unless they are asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/infer.hpp"
#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace medley::testing;

const FamilyCatalogue kCatalogue = small_catalogue();

RawSource people() {
  Rows rows;
  for (int i = 0; i < 20; ++i) {
    rows.push_back({std::to_string(i + 1), "person " + std::to_string(i),
                    "2024-03-" + std::to_string(10 + i % 3), std::to_string(1990 + i % 4),
                    i % 2 == 0 ? "yes" : "no"});
  }
  return table("d", {"nr", "name", "day", "year", "smokes"}, rows);
}

TEST(LeftOut, DatesAndIdsWithANoteAndAWarning) {
  const Inferred inferred = infer({people()}, {}, kCatalogue);
  for (const char* name : {"nr", "name", "day"}) {
    EXPECT_EQ(inferred.schema.find(name)->role, Role::ignored) << name;
    EXPECT_THAT(inferred.schema.find(name)->note, HasSubstr("left out: ")) << name;
  }
  EXPECT_THAT(inferred.warnings,
              ElementsAre(AllOf(HasSubstr("d.csv: column \"nr\" is left out: it numbers the rows"),
                                HasSubstr("`id=\"nr\"`")),
                          HasSubstr("column \"name\" is left out: every cell is different"),
                          HasSubstr("column \"day\" is left out: it holds dates")));
  EXPECT_EQ(inferred.schema.find("year")->role, Role::feature);
  EXPECT_EQ(inferred.schema.find("smokes")->role, Role::feature);
}

TEST(LeftOut, NothingThatWasAskedFor) {
  ReadOptions options;
  options.family = {{"nr", "gaussian"}, {"name", "categorical"}, {"day", "categorical"}};
  const Inferred inferred = infer({people()}, options, kCatalogue);
  EXPECT_EQ(inferred.schema.find("nr")->family, "gaussian");
  EXPECT_EQ(inferred.schema.find("name")->levels.size(), 20U);
  EXPECT_THAT(inferred.schema.find("day")->levels,
              ElementsAre("2024-03-10", "2024-03-11", "2024-03-12"));
  EXPECT_THAT(inferred.warnings, IsEmpty());
}

TEST(LeftOut, TripletValuesAreNoIdsButMayBeDates) {
  Rows entries;
  for (int i = 0; i < 20; ++i) entries.push_back({"u", "m" + std::to_string(i), std::to_string(i)});
  EXPECT_EQ(infer({triplets("r", entries)}, {}, kCatalogue).schema.find("value")->role,
            Role::feature);
  for (auto& entry : entries) entry[2] = "2024-01-" + std::to_string(10 + entry[2].size());
  entries[0][2] = "2024-01-01";
  EXPECT_EQ(infer({triplets("r", entries)}, {}, kCatalogue).schema.find("value")->role,
            Role::ignored);
}

TEST(LeftOut, ACellThatKeepsAColumnFromBeingNumbersIsPointedOut) {
  Rows rows;
  for (int i = 0; i < 40; ++i) rows.push_back({i == 7 ? "unknown" : std::to_string(i % 13) + ".5"});
  const Inferred inferred = infer({table("d", {"x"}, rows)}, {}, kCatalogue);
  EXPECT_THAT(
      inferred.warnings,
      ElementsAre(HasSubstr("all but 1 of 40 cells are numbers; are \"unknown\" missing?")));
}

}  // namespace
}  // namespace medley::data
