// SPDX-License-Identifier: Apache-2.0
#include "data/detect_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/infer.hpp"
#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Rows;

// Every user rates every second movie or so.
Rows ratings() {
  Rows rows;
  for (int user = 0; user < 12; ++user) {
    for (int movie = user % 2; movie < 20; movie += 2) {
      rows.push_back({"u" + std::to_string(user), "m" + std::to_string(movie),
                      std::to_string(1 + (user * movie) % 5)});
    }
  }
  return rows;
}

bool detected(const Rows& rows) {
  return is_rating_log(std::get<RawTable>(testing::table("d", {"a", "b", "c"}, rows).content));
}

TEST(DetectRatingLog, PairsThatNeverRepeatOfNamesThatDo) {
  EXPECT_TRUE(detected(ratings()));
  Rows repeated = ratings();
  repeated.push_back(repeated.front());
  EXPECT_FALSE(detected(repeated));
  Rows missing = ratings();
  missing[3][1] = "";
  EXPECT_FALSE(detected(missing));
  Rows few = ratings();
  few.resize(60);
  EXPECT_FALSE(detected(few));
  EXPECT_FALSE(is_rating_log(std::get<RawTable>(testing::table("d", {"a"}, {{"x"}}).content)));
}

TEST(DetectRatingLog, IsAskedAboutAndReadAsATableAllTheSame) {
  const FamilyCatalogue catalogue = testing::small_catalogue();
  const Inferred log = infer({testing::table("d", {"a", "b", "c"}, ratings())}, {}, catalogue);
  EXPECT_THAT(log.warnings, Contains(HasSubstr("`format=\"triplets\"`")));
  EXPECT_EQ(log.schema.sources[0].kind, SourceKind::table);
  const Inferred table = infer({testing::table("d", {"a"}, {{"x"}, {"y"}})}, {}, catalogue);
  EXPECT_THAT(table.warnings, Not(Contains(HasSubstr("`format=\"triplets\"`"))));
}

}  // namespace
}  // namespace medley::data
