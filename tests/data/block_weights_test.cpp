// SPDX-License-Identifier: Apache-2.0
#include "data/weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "data/encode.hpp"
#include "data/infer.hpp"
#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace medley::testing;

const FamilyCatalogue kCatalogue = small_catalogue();

Dataset fit(const ReadOptions& options) {
  const std::vector<RawSource> sources = {
      table("survey", {"a"}, {{"x"}, {"y"}, {""}}),
      documents("words", {"sun", "rain"}, {{{0, 2.0F}, {1, 1.0F}}, {{1, 3.0F}}, {}})};
  return encode(sources, infer(sources, options, kCatalogue).schema, options, kCatalogue);
}

TEST(BlockWeights, MultiplyTheCellsOfTheirBlockAlone) {
  ReadOptions options;
  options.block_weight = {{"words", 0.5}};
  const Dataset data = fit(options);
  EXPECT_THAT(data.blocks[0].weight, IsEmpty());
  EXPECT_THAT(data.blocks[1].weight, ElementsAre(1.0F, 0.5F, 1.5F));
  EXPECT_EQ(data.observed(0), 2.5);
  EXPECT_EQ(data.schema.block_weight, options.block_weight);
  options.block_weight = {{"survey", 3}, {"words", 1}};
  EXPECT_THAT(fit(options).blocks[0].weight, ElementsAre(3.0F, 3.0F));
  EXPECT_THAT(fit(options).blocks[1].weight, ElementsAre(2.0F, 1.0F, 3.0F));
}

TEST(BlockWeights, TravelWithTheSchemaAndCannotBeContradicted) {
  ReadOptions options;
  options.block_weight = {{"survey", 2}};
  const Schema schema = fit(options).schema;
  const std::vector<RawSource> later = {table("survey", {"a"}, {{"y"}})};
  EXPECT_THAT(encode(later, schema, {}, kCatalogue).blocks[0].weight, Each(2.0F));
  EXPECT_EQ(complaint([&] { check_options_against(schema, options); }), "");
  options.block_weight = {{"survey", 3}};
  EXPECT_THAT(complaint([&] { check_options_against(schema, options); }),
              HasSubstr("the schema that is given decides the block weights"));
}

TEST(BlockWeights, UnknownBlocksAreToldWithThoseThatAreThere) {
  ReadOptions options;
  options.block_weight = {{"word", 0.5}};
  EXPECT_THAT(complaint([&] { (void)fit(options); }),
              AllOf(HasSubstr("`block_weight=\"word\"`: there is no block \"word\""),
                    HasSubstr("did you mean \"words\"?"),
                    HasSubstr("the blocks are: \"survey\", \"words\"")));
}

TEST(BlockWeights, MustBeFiniteAndAboveZero) {
  for (const double weight : {0.0, -1.0, 1e300, 1e-300, std::nan("")}) {
    ReadOptions options;
    options.block_weight = {{"words", weight}};
    EXPECT_THAT(complaint([&] { (void)fit(options); }), HasSubstr("must be a number above 0"))
        << weight;
  }
}

}  // namespace
}  // namespace medley::data
