// SPDX-License-Identifier: Apache-2.0
// Numbers against the family of their column, on the way from cells to a data set.
#include "data/number.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/encode.hpp"
#include "data/infer.hpp"
#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace medley::testing;

const FamilyCatalogue kCatalogue = small_catalogue();

ReadOptions as(const std::string& column, const std::string& family) {
  ReadOptions options;
  options.family = {{column, family}};
  return options;
}

Dataset fit(const RawSource& source, const ReadOptions& options) {
  return encode({source}, infer({source}, options, kCatalogue).schema, options, kCatalogue);
}

std::string refusal(const RawSource& source, const ReadOptions& options) {
  return complaint([&] { (void)fit(source, options); });
}

TEST(NumberCheck, ARefusedNumberIsToldByLineWithAFamilyThatTakesTheColumn) {
  const auto source = table("data", {"visits"}, {{"3"}, {"-1"}, {"2"}, {"0.5"}});
  EXPECT_EQ(refusal(source, as("visits", "poisson")),
            "data.csv:3: column \"visits\": -1 is below 0; poisson takes whole numbers from 0 (use "
            "`column=\"visits=gaussian\"`, or `na=\"-1\"`)\n"
            "data.csv:5: column \"visits\": 0.5 is no whole number; poisson takes whole numbers "
            "from 0 (use `column=\"visits=gaussian\"`, or `na=\"0.5\"`)");
  ReadOptions options = as("visits", "poisson");
  options.na = {"-1", "0.5"};
  EXPECT_EQ(fit(source, options).blocks[0].missing, 2U);
}

TEST(NumberCheck, ASchemaThatWasGivenIsCheckedToo) {
  const auto good = table("d", {"visits"}, {{"3"}, {"1"}});
  const Schema schema = fit(good, as("visits", "poisson")).schema;
  ReadOptions options;
  options.schema = schema;
  const auto bad = table("d", {"visits"}, {{"3"}, {"-2"}, {"x"}});
  EXPECT_EQ(complaint([&] { (void)encode({bad}, schema, options, kCatalogue); }),
            "d.csv:3: column \"visits\": -2 is below 0; poisson takes whole numbers from 0 (the "
            "schema has the column as poisson; use `na=\"-2\"`)\n"
            "d.csv:4: column \"visits\": \"x\" is not a number (the schema has the column as "
            "poisson; use `na=\"x\"`)");
}

TEST(NumberCheck, TheShiftIsSubtractedForTheFamilyAloneNotFromTheValue) {
  const auto source = table("d", {"stay"}, {{"1"}, {"4"}, {"2"}});
  const Dataset data = fit(source, as("stay", "poisson:shift=1"));
  EXPECT_EQ(data.schema.find("stay")->shift, 1);
  EXPECT_EQ(data.blocks[0].features[0].shift, 1);
  EXPECT_THAT(data.blocks[0].value, ElementsAre(1, 4, 2));
  EXPECT_THAT(refusal(source, as("stay", "poisson:shift=2")),
              HasSubstr("d.csv:2: column \"stay\": 1 (-1 after the shift) is below 0; poisson"));
}

TEST(NumberCheck, AShiftNeedsAFamilyOfNumbers) {
  const auto source = table("d", {"a"}, {{"1"}, {"4"}, {"2"}});
  EXPECT_THAT(refusal(source, as("a", "categorical:shift=1")),
              HasSubstr("a shift goes with a family of numbers"));
  EXPECT_THAT(refusal(source, as("a", "poisson:shfit=1")),
              HasSubstr("`column=\"a=poisson:shfit=1\"`: what follows the family must be shift"));
}

TEST(NumberCheck, NumbersThatAreNotFiniteAreCalledThat) {
  const auto source = table("d", {"a"}, {{"1"}, {"inf"}, {"-Infinity"}, {"1e999"}, {"2"}});
  const std::string error = refusal(source, as("a", "gaussian"));
  EXPECT_THAT(error, HasSubstr("d.csv:3: column \"a\": \"inf\" is not a finite number"));
  EXPECT_THAT(error, HasSubstr("d.csv:4: column \"a\": \"-Infinity\" is not a finite number"));
  EXPECT_THAT(error, HasSubstr("d.csv:5: column \"a\": \"1e999\" is not a finite number"));
}

TEST(NumberCheck, TripletsAreToldByLineToo) {
  const auto log = triplets("r", {{"u", "m", "5"}, {"u", "n", "-3"}, {"v", "m", "abc"}});
  EXPECT_EQ(refusal(log, as("value", "poisson")),
            "r.csv:3: column \"value\": -3 is below 0; poisson takes whole numbers from 0 (use "
            "`column=\"value=categorical\"`, or `na=\"-3\"`)\n"
            "r.csv:4: column \"value\": \"abc\" is not a number (the column is poisson; use "
            "`column=\"value=categorical\"`, or `na=\"abc\"`)");
  const auto good = triplets("r", {{"u", "m", "5"}, {"u", "n", "3"}});
  const Schema schema = fit(good, as("value", "poisson")).schema;
  ReadOptions options;
  options.schema = schema;
  EXPECT_THAT(complaint([&] { (void)encode({log}, schema, options, kCatalogue); }),
              HasSubstr("r.csv:3: column \"value\": -3 is below 0"));
}

}  // namespace
}  // namespace medley::data
