// SPDX-License-Identifier: Apache-2.0
#include "data/encode.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>

#include "data/infer.hpp"
#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace medley::testing;

const FamilyCatalogue kCatalogue = small_catalogue();

Dataset fit(const std::vector<RawSource>& sources, const ReadOptions& options = {}) {
  return encode(sources, infer(sources, options, kCatalogue).schema, options, kCatalogue);
}

Dataset apply(const Schema& schema, const std::vector<RawSource>& sources,
              const ReadOptions& options = {}) {
  return encode(sources, schema, options, kCatalogue);
}

template <typename... Arguments>
std::string refusal(const Arguments&... arguments) {
  return complaint([&] { (void)fit(arguments...); });
}

TEST(Encode, SlotsAreNumberedByFeatureAndLevel) {
  const Dataset data =
      fit({table("data", {"a", "b"}, {{"y", "p"}, {"n", ""}, {"", ""}, {"n", "q"}})});
  ASSERT_EQ(data.blocks.size(), 1U);
  const Block& block = data.blocks[0];
  EXPECT_EQ(block.name, "data");
  EXPECT_EQ(block.family, "bernoulli");
  EXPECT_THAT(block.first_slot, ElementsAre(0U, 2U, 4U));
  EXPECT_THAT(block.row_start, ElementsAre(0U, 2U, 3U, 3U, 5U));
  EXPECT_THAT(block.slot, ElementsAre(1U, 2U, 0U, 0U, 3U));
  EXPECT_THAT(block.weight, IsEmpty());
  EXPECT_EQ(block.missing, 3U);
  EXPECT_EQ(data.rows, 4U);
  EXPECT_DOUBLE_EQ(data.observed(2), 0.0);
}

TEST(Encode, SeveralFamiliesAreSeveralBlocks) {
  ReadOptions options;
  options.family = {{"x", "gaussian"}};
  const Dataset data =
      fit({table("s", {"a", "x", "b"}, {{"y", "1,5", "p"}, {"n", "", "q"}, {"n", "-2", "q"}})},
          options);
  ASSERT_EQ(data.blocks.size(), 2U);
  EXPECT_EQ(data.blocks[0].name, "s.bernoulli");
  EXPECT_EQ(data.blocks[0].features.size(), 2U);
  EXPECT_EQ(data.blocks[1].name, "s.gaussian");
  EXPECT_EQ(data.blocks[1].encoding, Encoding::real);
  EXPECT_THAT(data.blocks[1].value, ElementsAre(1.5, -2.0));
  EXPECT_THAT(data.blocks[1].slot, ElementsAre(0U, 0U));
  EXPECT_THAT(data.blocks[1].row_start, ElementsAre(0U, 1U, 1U, 2U));
}

TEST(Encode, NothingToModelIsAnErrorThatSaysWhy) {
  EXPECT_THAT(
      refusal(std::vector{table("d", {"a"}, {{"x"}, {"x"}})}),
      AllOf(HasSubstr("no column is left to model"), HasSubstr("\"a\""), HasSubstr("one value")));
}

TEST(Encode, UnseenLevelsAreCountedAndTakenAsMissing) {
  const Schema schema = fit({table("d", {"a", "b"}, {{"y", "p"}, {"n", "q"}})}).schema;
  const Dataset data = apply(schema, {table("d", {"b", "a"}, {{"p", "maybe"}, {"q", "n"}})});
  EXPECT_EQ(data.blocks[0].unseen, 1U);
  EXPECT_THAT(data.blocks[0].slot, ElementsAre(2U, 0U, 3U));
  EXPECT_THAT(data.warnings,
              ElementsAre(AllOf(HasSubstr("d.csv: column \"a\": 1 cell"), HasSubstr("\"maybe\""))));
}

TEST(Encode, AbsentColumnsAreMissingWithAWarningAndExtraOnesIgnored) {
  const Schema schema = fit({table("d", {"a", "b"}, {{"y", "p"}, {"n", "q"}})}).schema;
  const Dataset data = apply(schema, {table("new", {"extra", "b"}, {{"1", "p"}, {"2", "q"}})});
  EXPECT_EQ(data.blocks[0].name, "d");
  EXPECT_EQ(data.blocks[0].missing, 2U);
  EXPECT_THAT(data.blocks[0].slot, ElementsAre(2U, 3U));
  EXPECT_THAT(data.warnings,
              ElementsAre(AllOf(HasSubstr("new.csv: 1 column"), HasSubstr("\"a\""))));
}

TEST(Encode, MissingAsCategoryStoresTheMissingLevel) {
  ReadOptions options;
  options.missing_as_category = true;
  const Dataset data = fit({table("d", {"a", "b"}, {{"y", "p"}, {"", "q"}, {"n", "q"}})}, options);
  EXPECT_EQ(decoded(data.blocks[0], 1, "a"), "(missing)");
  const Dataset later = apply(data.schema, {table("d", {"b"}, {{""}, {"new"}})});
  EXPECT_EQ(decoded(later.blocks[0], 0, "a"), "(missing)");
  EXPECT_EQ(decoded(later.blocks[0], 0, "b"), "(missing)");
  EXPECT_EQ(decoded(later.blocks[0], 1, "b"), "");
  EXPECT_EQ(later.blocks[0].unseen, 1U);
}

TEST(Encode, CellsThatAreNoNumbersAreToldByLine) {
  ReadOptions options;
  options.family = {{"age", "gaussian"}};
  const Schema schema = fit({table("d", {"age"}, {{"1"}, {"2"}})}, options).schema;
  EXPECT_EQ(
      complaint(
          [&] { (void)apply(schema, {table("survey", {"age"}, {{"3"}, {"abc"}, {"1,000"}})}); }),
      "survey.csv:3: column \"age\": \"abc\" is not a number (the column is gaussian; use "
      "`column=\"age=categorical\"`, or `na=\"abc\"`)\n"
      "survey.csv:4: column \"age\": \"1,000\" could be 1.000 or 1000 (`decimal=\"comma\"` or "
      "`decimal=\"point\"` says which the file means)");
  ReadOptions more;
  more.na = {"abc", "1,000"};
  EXPECT_EQ(apply(schema, {table("survey", {"age"}, {{"3"}, {"abc"}, {"1,000"}})}, more)
                .blocks[0]
                .missing,
            2U);
}

TEST(Encode, WordsAreMatchedByTextAndUnknownOnesCounted) {
  const Schema schema =
      fit({documents("w", {"sun", "rain", "fog"}, {{{0, 2.0F}, {2, 1.0F}}, {{1, 1.0F}}})}).schema;
  const Dataset data = apply(
      schema, {documents("w", {"fog", "snow", "sun"}, {{{0, 3.0F}, {1, 1.0F}, {2, 1.5F}}, {}})});
  const Block& block = data.blocks[0];
  EXPECT_EQ(block.encoding, Encoding::tokens);
  EXPECT_EQ(block.features.size(), 1U);
  EXPECT_EQ(block.features[0].name, "w");
  EXPECT_THAT(block.first_slot, ElementsAre(0U, 3U));
  EXPECT_THAT(block.slot, ElementsAre(0U, 2U));
  EXPECT_THAT(block.weight, ElementsAre(1.5F, 3.0F));
  EXPECT_THAT(block.row_start, ElementsAre(0U, 2U, 2U));
  EXPECT_EQ(block.unseen, 1U);
  EXPECT_THAT(data.warnings, ElementsAre(HasSubstr("1 cell with words")));
}

TEST(Encode, TripletsAreOneFeaturePerItemAndAbsentPairsMissing) {
  const Dataset data = fit(
      {triplets("r", {{"u1", "m2", "5"}, {"u2", "m1", "3"}, {"u1", "m1", "4"}, {"u3", "m1", ""}})});
  const Block& block = data.blocks[0];
  EXPECT_THAT(data.ids, ElementsAre("u1", "u2", "u3"));
  EXPECT_THAT(block.first_slot, ElementsAre(0U, 3U, 6U));
  EXPECT_THAT(block.slot, ElementsAre(2U, 4U, 3U));  // m2: 5; m1: 4; m1: 3
  EXPECT_THAT(block.row_start, ElementsAre(0U, 2U, 3U, 3U));
  EXPECT_EQ(block.missing, 1U);
  const Dataset later =
      apply(data.schema, {triplets("new", {{"v", "m9", "3"}, {"v", "m1", "2"}, {"v", "m2", "3"}})});
  EXPECT_EQ(later.blocks[0].unseen, 2U);
  EXPECT_THAT(later.blocks[0].slot, ElementsAre(0U));
}

// The same ratings as a table and as a log.
TEST(Encode, AbsentPairsAreStoredLikeEmptyCellsWhereMissingIsALevel) {
  ReadOptions options;
  options.missing_as_category = true;
  options.family = {{"m1", "categorical"}, {"m2", "categorical"}, {"m3", "categorical"}};
  const Dataset wide = fit(
      {table("r", {"m1", "m2", "m3"}, {{"3", "", "4"}, {"4", "3", ""}, {"", "4", "3"}})}, options);
  options.family = {{"value", "categorical"}};
  const Dataset log = fit({triplets("r", {{"u1", "m1", "3"},
                                          {"u2", "m1", "4"},
                                          {"u2", "m2", "3"},
                                          {"u1", "m3", "4"},
                                          {"u3", "m3", "3"},
                                          {"u3", "m2", "4"}})},
                          options);
  ASSERT_THAT(log.schema.sources[0].items, ElementsAre("m1", "m2", "m3"));
  EXPECT_EQ(log.blocks[0].first_slot, wide.blocks[0].first_slot);
  EXPECT_EQ(log.blocks[0].row_start, wide.blocks[0].row_start);
  EXPECT_EQ(log.blocks[0].slot, wide.blocks[0].slot);
  EXPECT_EQ(log.blocks[0].missing, 3U);
  // A rating that nobody gave before is no missing one, nor is one of an unknown item.
  const Dataset later =
      apply(log.schema, {triplets("new", {{"v", "m9", "3"}, {"v", "m2", "1"}, {"v", "m1", ""}})});
  EXPECT_THAT(later.blocks[0].slot, ElementsAre(2U, 8U));
}

TEST(Encode, DenseTripletsBeyondTheMemoryLimitAreRefused) {
  testing::Rows diagonal;
  for (int i = 0; i < 1000; ++i)
    diagonal.push_back({"u" + std::to_string(i), "m" + std::to_string(i), i % 2 == 0 ? "3" : "4"});
  ReadOptions options;
  options.family = {{"value", "categorical"}};
  options.memory_limit = 1'000'000;
  EXPECT_NO_THROW((void)fit({triplets("r", diagonal)}, options));
  options.missing_as_category = true;
  EXPECT_THAT(complaint([&] { (void)fit({triplets("r", diagonal)}, options); }),
              HasSubstr("memory"));
}

TEST(Encode, RepeatedTripletsAreRefusedTakenLastOrReplicated) {
  const std::vector log = {
      triplets("r", {{"u", "m", "5"}, {"u", "n", "1"}, {"u", "m", "3"}, {"v", "m", "5"}})};
  EXPECT_THAT(refusal(log), AllOf(HasSubstr("r.csv:4"),
                                  HasSubstr("\"u\", item \"m\" occurs 2 times, on lines 2, 4"),
                                  HasSubstr("`duplicates=\"last\"`")));
  ReadOptions options;
  options.duplicates = Duplicates::last;
  EXPECT_EQ(decoded(fit(log, options).blocks[0], 0, "m"), "3");
  options.duplicates = Duplicates::replicate;
  const Dataset data = fit(log, options);
  EXPECT_EQ(decoded(data.blocks[0], 0, "m"), "3|5");
  EXPECT_TRUE(std::is_sorted(data.blocks[0].slot.begin(), data.blocks[0].slot.begin() + 3));
}

TEST(Encode, TripletsOfNumbersHaveOneSlotPerItem) {
  ReadOptions options;
  options.family = {{"value", "gaussian"}};
  const Dataset data = fit(
      {triplets("r", {{"u", "m", "1.5"}, {"u", "n", "2"}, {"v", "n", "x"}, {"v", "m", "3"}})}, [&] {
        options.na = {"x"};
        return options;
      }());
  EXPECT_THAT(data.blocks[0].first_slot, ElementsAre(0U, 1U, 2U));
  EXPECT_THAT(data.blocks[0].value, ElementsAre(1.5, 2.0, 3.0));
  EXPECT_THAT(data.blocks[0].slot, ElementsAre(0U, 1U, 0U));
  options.na.clear();
  EXPECT_THAT(refusal(std::vector{triplets("r", {{"u", "m", "1.5"}, {"u", "n", "abc"}})}, options),
              HasSubstr("r.csv:3: column \"value\": \"abc\" is not a number"));
}

TEST(Encode, ItemsTimesLevelsAreRefusedBeforeTheyAreMade) {
  Schema schema = fit({triplets("r", {{"u", "m", "1"}, {"u", "n", "2"}})}).schema;
  for (int i = 0; i < 70000; ++i) schema.sources[0].items.push_back("item" + std::to_string(i));
  for (int i = 0; i < 2000; ++i) {
    schema.sources[0].columns[0].levels.push_back("level" + std::to_string(i));
  }
  schema.sources[0].columns[0].family = "categorical";
  ReadOptions options;
  options.memory_limit = 1000000;
  const auto refused = [&] { (void)apply(schema, {triplets("r", {{"u", "m", "1"}})}, options); };
  EXPECT_THAT(complaint(refused), HasSubstr("\"r\""));
  for (int i = 0; i < 60000; ++i) {
    schema.sources[0].columns[0].levels.push_back("more" + std::to_string(i));
  }
  EXPECT_THAT(complaint(refused), HasSubstr("more than can be numbered"));
}

TEST(Encode, SamplingWeightsSumToTheRowsAndFrequenciesStay) {
  const std::vector source = {
      table("d", {"a", "w"}, {{"x", "1"}, {"y", "2,5"}, {"x", "0"}, {"y", "0.5"}})};
  ReadOptions options;
  options.weight = "w";
  EXPECT_THAT(fit(source, options).row_weight, ElementsAre(1.0, 2.5, 0.0, 0.5));
  const std::vector heavy = {table("d", {"a", "w"}, {{"x", "10"}, {"y", "30"}})};
  EXPECT_THAT(fit(heavy, options).row_weight, ElementsAre(0.5, 1.5));
  options.frequency_weights = true;
  EXPECT_THAT(fit(heavy, options).row_weight, ElementsAre(10.0, 30.0));
  EXPECT_THAT(fit(heavy, {}).row_weight, IsEmpty());
}

TEST(Encode, EveryBadWeightIsToldByLine) {
  ReadOptions options;
  options.weight = "w";
  const std::string error = refusal(
      std::vector{table("d", {"a", "w"}, {{"x", "-1"}, {"y", ""}, {"x", "many"}, {"y", "1"}})},
      options);
  EXPECT_THAT(error, AllOf(HasSubstr("d.csv:2: column \"w\": \"-1\" is not a weight"),
                           HasSubstr("d.csv:3: column \"w\": the weight is missing"),
                           HasSubstr("d.csv:4: column \"w\": \"many\" is not a weight")));
  EXPECT_THAT(refusal(std::vector{table("d", {"a", "w"}, {{"x", "0"}, {"y", "0"}})}, options),
              HasSubstr("every weight is 0"));
}

TEST(Encode, LabelsAndKeptColumnsAreSetAside) {
  ReadOptions options;
  options.label = "class";
  options.keep = {"group"};
  const Dataset data = fit(
      {table("d", {"a", "class", "group"}, {{"x", "no", "g2"}, {"y", "yes", ""}, {"x", "", "g1"}})},
      options);
  ASSERT_EQ(data.blocks.size(), 1U);
  EXPECT_EQ(data.blocks[0].features.size(), 1U);
  EXPECT_THAT(data.kept_column("class")->levels, ElementsAre("no", "yes"));
  EXPECT_THAT(data.kept_column("class")->code, ElementsAre(0, 1, -1));
  EXPECT_THAT(data.kept_column("group")->levels, ElementsAre("g1", "g2"));
  EXPECT_THAT(data.kept_column("group")->code, ElementsAre(1, -1, 0));

  const Dataset later =
      apply(data.schema, {table("d", {"class", "a"}, {{"yes", "x"}, {"other", "y"}})});
  EXPECT_THAT(later.kept_column("class")->code, ElementsAre(1, kUnknownClass));
  EXPECT_THAT(later.warnings, ElementsAre(AllOf(HasSubstr("classes"), HasSubstr("\"other\""))));
  const Dataset without = apply(data.schema, {table("d", {"a"}, {{"x"}})});
  EXPECT_EQ(without.kept_column("class"), nullptr);
  EXPECT_THAT(without.warnings, IsEmpty());
}

TEST(Encode, AColumnTheSchemaDoesNotKnowCanBeKept) {
  const Schema schema = fit({table("d", {"a"}, {{"x"}, {"y"}})}).schema;
  ReadOptions options;
  options.keep = {"truth"};
  const auto source = table("d", {"a", "truth"}, {{"x", "t"}, {"y", "f"}});
  EXPECT_THAT(apply(schema, {source}, options).kept_column("truth")->code, ElementsAre(1, 0));
  options.keep = {"trtuh"};
  EXPECT_THAT(complaint([&] { (void)apply(schema, {source}, options); }),
              HasSubstr("did you mean \"truth\"?"));
}

TEST(Encode, ALoneSourcePlaysTheOnlyPartWithFeatures) {
  ReadOptions options;
  options.label = "class";
  const auto docs = documents("words", {"sun", "fog"}, {{{0, 1.0F}}, {{1, 1.0F}}});
  const Schema schema = fit({docs, column("class", {"a", "b"})}, options).schema;
  const Dataset data = apply(schema, {documents("data", {"fog"}, {{{0, 2.0F}}})});
  EXPECT_EQ(data.blocks[0].name, "words");
  EXPECT_THAT(data.blocks[0].slot, ElementsAre(1U));
  EXPECT_THAT(data.warnings, IsEmpty());
}

TEST(Encode, ASourceThatIsNotGivenIsMissingWithAWarning) {
  const auto a = table("a", {"x"}, {{"p"}, {"q"}});
  const auto b = documents("b", {"sun", "fog"}, {{{0, 1.0F}}, {{1, 1.0F}}});
  const Dataset data = apply(fit({a, b}).schema, {a});
  ASSERT_EQ(data.blocks.size(), 2U);
  EXPECT_EQ(data.blocks[1].row_start.size(), 3U);
  EXPECT_EQ(data.blocks[1].cells(), 0U);
  EXPECT_THAT(data.warnings, ElementsAre(HasSubstr("\"b\" of the schema is not given")));
}

TEST(Encode, ASourceOfAnotherKindIsRefused) {
  const Schema schema = fit({table("d", {"a"}, {{"x"}, {"y"}})}).schema;
  EXPECT_THAT(complaint([&] { (void)apply(schema, {documents("d", {"a"}, {{{0, 1.0F}}})}); }),
              AllOf(HasSubstr("d.ldac"), HasSubstr("\"tokens\""), HasSubstr("\"table\""),
                    HasSubstr("`format`")));
}

TEST(Encode, AnEditedSchemaIsCheckedAgainstTheFamilies) {
  Schema schema = fit({table("d", {"a"}, {{"x"}, {"y"}, {"z"}})}).schema;
  const auto refused = [&](const std::string& family) {
    schema.sources[0].columns[0].family = family;
    return complaint([&] { (void)apply(schema, {table("d", {"a"}, {{"x"}})}); });
  };
  EXPECT_THAT(refused("bernoulli"), HasSubstr("has 3 levels, bernoulli takes 2"));
  EXPECT_THAT(refused("categoric"), HasSubstr("unknown family \"categoric\""));
  EXPECT_THAT(refused("tokens"), HasSubstr("does not go with a source of kind \"table\""));
  schema.sources[0].columns[0].levels.clear();
  EXPECT_THAT(refused("categorical"), HasSubstr("has no levels"));
}

TEST(Encode, OptionsCannotContradictAGivenSchema) {
  const Schema schema = fit({table("d", {"a"}, {{"x"}, {"y"}})}).schema;
  ReadOptions options;
  options.family = {{"a", "categorical"}};
  options.ignore = {"a", "unknown"};
  options.missing_as_category = true;
  EXPECT_THAT(complaint([&] { check_options_against(schema, options); }),
              AllOf(HasSubstr("`column=\"a=categorical\"`"), HasSubstr("`ignore=\"a\"`"),
                    HasSubstr("`missing=\"category\"`")));
}

TEST(Encode, FeaturesAreInTheOrderOfTheSchemaNotOfTheFile) {
  const Schema schema = fit({table("d", {"a", "b"}, {{"x", "p"}, {"y", "q"}})}).schema;
  const Dataset one = apply(schema, {table("d", {"a", "b"}, {{"x", "q"}, {"", "p"}})});
  const Dataset two = apply(schema, {table("d", {"b", "a"}, {{"q", "x"}, {"p", ""}})});
  EXPECT_EQ(one.blocks[0].slot, two.blocks[0].slot);
  EXPECT_EQ(one.blocks[0].row_start, two.blocks[0].row_start);
}

// A random table: every column has at least two different values, so that none is dropped.
Rows random_rows(std::size_t columns) {
  const auto cell =
      rc::gen::element<std::string>("", "a", "b", "c c", "3.0", "3", "\"", "\xc3\xa9");
  Rows rows =
      *rc::gen::container<Rows>(rc::gen::container<std::vector<std::string>>(columns, cell));
  rows.emplace_back(columns, "a");
  rows.emplace_back(columns, "b");
  return rows;
}

std::string cell_of(const Dataset& data, std::size_t row, const std::string& feature) {
  std::string text;
  for (const Block& block : data.blocks) text += decoded(block, row, feature);
  return text;
}

TEST(Encode, DecodingGivesTheTableBackInAnyOrderOfColumns) {
  EXPECT_TRUE(rc::check([] {
    const std::size_t columns = *rc::gen::inRange<std::size_t>(1, 6);
    const Rows rows = random_rows(columns);
    std::vector<std::size_t> order(columns);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::string> header;
    for (const std::size_t c : order) header.push_back("c" + std::to_string(c));
    for (std::size_t i = columns; i > 1; --i)
      std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
    std::vector<std::string> shuffled_header;
    Rows shuffled(rows.size());
    for (const std::size_t c : order) {
      shuffled_header.push_back(header[c]);
      for (std::size_t r = 0; r < rows.size(); ++r) shuffled[r].push_back(rows[r][c]);
    }
    const Dataset data = fit({table("d", header, rows)});
    const Dataset other = fit({table("d", shuffled_header, shuffled)});
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        RC_ASSERT(cell_of(data, r, header[c]) == rows[r][c]);
        RC_ASSERT(cell_of(other, r, header[c]) == rows[r][c]);
      }
      for (const Block& block : data.blocks) {
        const auto at = [&](std::size_t row) {
          return block.slot.begin() + static_cast<std::ptrdiff_t>(block.row_start[row]);
        };
        RC_ASSERT(std::is_sorted(at(r), at(r + 1)));
      }
    }
  }));
}

}  // namespace
}  // namespace medley::data
