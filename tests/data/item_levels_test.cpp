// SPDX-License-Identifier: Apache-2.0
#include "data/item_levels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/encode.hpp"
#include "data/infer.hpp"
#include "data/restrict_schema.hpp"
#include "data/samples.hpp"
#include "medley/data.hpp"

namespace medley::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace medley::testing;

const FamilyCatalogue kFamilies = small_catalogue();

bool one_scale(const RawSource& log) {
  return share_one_scale(std::get<RawTriplets>(log.content), MissingStrings({}));
}

// Items with `levels` values each, the same for all items or not.
RawSource log_of(std::size_t items, std::size_t rows, std::size_t levels, bool shared) {
  Rows entries;
  for (std::size_t item = 0; item < items; ++item) {
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t level = (item + row) % levels + (shared ? 0 : item * levels);
      entries.push_back(
          {"r" + std::to_string(row), "i" + std::to_string(item), std::to_string(level)});
    }
  }
  return triplets("r", entries);
}

// Two loci: L1 has the alleles A and B, L2 C, D and E; u3 misses L2.
RawSource genotypes() {
  Rows entries;
  for (int copy = 0; copy < 4; ++copy) {
    const std::string row = "u" + std::to_string(copy % 3 + 1) + (copy > 2 ? "x" : "");
    entries.push_back({row, "L1", copy % 2 == 0 ? "A" : "B"});
    entries.push_back({row, "L1", "A"});
    entries.push_back(
        {row, "L2", copy == 2 ? "" : std::string(1, static_cast<char>('C' + copy % 3))});
    entries.push_back({row, "L2", "C"});
  }
  entries.push_back({"v", "L2", "E"});
  return triplets("r", entries);
}

ReadOptions replicated() {
  ReadOptions options;
  options.duplicates = Duplicates::replicate;
  return options;
}

Dataset loaded(const RawSource& source, const ReadOptions& options) {
  return encode({source}, infer({source}, options, kFamilies).schema, options, kFamilies);
}

TEST(ItemLevels, RatingsShareOneScaleHoweverFewAnItemHas) {
  EXPECT_TRUE(one_scale(log_of(20, 40, 5, true)));
  EXPECT_TRUE(one_scale(log_of(200, 1, 5, true)));  // one rating an item
  EXPECT_TRUE(one_scale(log_of(50, 3, 5, true)));
  EXPECT_TRUE(one_scale(triplets("r", {{"u", "a", "1"}, {"v", "a", "1"}, {"u", "b", "2"}})));
}

TEST(ItemLevels, ItemsWithOtherLevelsShareNone) {
  EXPECT_FALSE(one_scale(log_of(20, 40, 5, false)));
  // Two of the letters A, C, G and T at each place.
  Rows snps;
  for (int place = 0; place < 12; ++place) {
    for (int row = 0; row < 30; ++row)
      snps.push_back({"r" + std::to_string(row), "s" + std::to_string(place),
                      std::string(1, "AGCT"[2 * (place % 2) + row % 2])});
  }
  EXPECT_FALSE(one_scale(triplets("r", snps)));
}

TEST(ItemLevels, EachItemHasTheSlotsOfItsOwnLevels) {
  const Dataset data = loaded(genotypes(), replicated());
  ASSERT_EQ(data.blocks.size(), 1U);
  const Block& block = data.blocks[0];
  EXPECT_THAT(block.first_slot, ElementsAre(0U, 2U, 5U));
  EXPECT_THAT(block.features[1].levels, ElementsAre("C", "D", "E"));
  EXPECT_EQ(block.family, "categorical");
  EXPECT_EQ(decoded(block, 1, "L1"), "A|B");
  EXPECT_EQ(decoded(block, 1, "L2"), "C|D");
  EXPECT_EQ(decoded(block, 2, "L2"), "C");  // one copy is missing
  EXPECT_EQ(block.missing, 1U);
  EXPECT_THAT(data.schema.sources[0].columns[0].levels, IsEmpty());
  EXPECT_THAT(data.schema.sources[0].columns[0].note, HasSubstr("5 in all"));
}

TEST(ItemLevels, ALevelOfAnotherItemIsUnseen) {
  const Schema schema = loaded(genotypes(), replicated()).schema;
  const Dataset later = encode({triplets("r", {{"w", "L1", "C"}, {"w", "L2", "C"}})}, schema,
                               replicated(), kFamilies);
  EXPECT_EQ(later.blocks[0].unseen, 1U);
  EXPECT_EQ(decoded(later.blocks[0], 0, "L2"), "C");
  EXPECT_EQ(decoded(later.blocks[0], 0, "L1"), "");
}

TEST(ItemLevels, AnItemWhoseValuesAreAllMissingIsNone) {
  RawSource source = genotypes();
  auto& log = std::get<RawTriplets>(source.content);
  log.items.emplace_back("L3");
  log.row.push_back(0);
  log.item.push_back(2);
  log.value.push_back(kMissingCode);
  log.line.push_back(99);
  const Dataset data = loaded(source, replicated());
  EXPECT_THAT(data.schema.sources[0].items, ElementsAre("L1", "L2"));
  EXPECT_EQ(data.blocks[0].unseen, 0U);
  EXPECT_EQ(data.blocks[0].missing, 2U);
  EXPECT_THAT(data.warnings, IsEmpty());
}

TEST(ItemLevels, PoolingIsOnRequest) {
  ReadOptions options = replicated();
  options.pool_levels = true;
  const Dataset data = loaded(genotypes(), options);
  EXPECT_THAT(data.blocks[0].first_slot, ElementsAre(0U, 5U, 10U));
  EXPECT_THAT(data.schema.sources[0].item_levels, IsEmpty());
}

TEST(ItemLevels, MissingIsALevelOfEachItemWhereAsked) {
  ReadOptions options = replicated();
  options.missing_as_category = true;
  const Dataset data = loaded(genotypes(), options);
  EXPECT_THAT(data.blocks[0].features[0].levels, ElementsAre("A", "B", "(missing)"));
  EXPECT_EQ(decoded(data.blocks[0], 2, "L2"), "C|(missing)");
  EXPECT_EQ(decoded(data.blocks[0], 4, "L1"), "(missing)");  // v has no L1
}

TEST(ItemLevels, GoThroughAFileAndBack) {
  Schema schema = loaded(genotypes(), replicated()).schema;
  schema.sources[0].items[0] = "a \"b\".c = [1]";
  schema.sources[0].columns[0].note.clear();  // a comment, which is not read
  const std::string text = to_toml(schema);
  const Schema back = schema_from_toml(text, "s.toml");
  EXPECT_EQ(back.sources[0].item_levels, schema.sources[0].item_levels);
  EXPECT_EQ(back.sources[0].items, schema.sources[0].items);
  EXPECT_EQ(to_toml(back), text);
}

TEST(ItemLevels, AnItemWithoutLevelsInTheSchemaIsRefused) {
  Schema schema = loaded(genotypes(), replicated()).schema;
  std::string text = to_toml(schema);
  const std::string line = "\"L1\" = [\"A\", \"B\"]\n";
  ASSERT_NE(text.find(line), std::string::npos) << text;
  text.replace(text.find(line), line.size(), "\"L9\" = [\"A\"]\n");
  const std::string said = complaint([&] { (void)schema_from_toml(text, "s.toml"); });
  EXPECT_THAT(said, HasSubstr("item \"L1\" has no levels"));
  EXPECT_THAT(said, HasSubstr("\"L9\" is not one of the items"));
}

TEST(ItemLevels, TrainingRowsNarrowThemItemByItem) {
  const Dataset data = loaded(genotypes(), replicated());
  Schema narrow = narrowed_schema(data, {});
  EXPECT_EQ(narrow.sources[0].item_levels, data.schema.sources[0].item_levels);
  Dataset first = data;  // u1 alone: L1 A A, L2 C C
  first.rows = 1;
  first.blocks[0].row_start.resize(2);
  first.blocks[0].slot.resize(first.blocks[0].row_start[1]);
  narrow = narrowed_schema(first, {});
  EXPECT_EQ(narrow.sources[0].columns[0].role, Role::ignored);  // nothing varies
  const Dataset all = under_schema(data, data.schema, kFamilies);
  EXPECT_EQ(all.blocks[0].slot, data.blocks[0].slot);
}

}  // namespace
}  // namespace medley::data
