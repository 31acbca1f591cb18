// SPDX-License-Identifier: Apache-2.0
// Data sets made by hand: what is sound passes, and every way to be wrong is told in words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "medley/data.hpp"
#include "medley/error.hpp"
#include "support/hand_data.hpp"

namespace medley {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::string refusal_of(const Dataset& data) {
  try {
    check(data);
  } catch (const InputError& error) {
    std::string out;
    for (const Problem& problem : error.problems()) out += problem.text() + '\n';
    return out;
  }
  return {};
}

// What is said of sound data after a change.
std::string after(const std::function<void(Dataset&)>& change) {
  Dataset data = test::hand_data(6);
  change(data);
  return refusal_of(data);
}

enum BlockPlace { kAnswers, kWords, kSizes };

TEST(CheckDataset, SoundDataPass) {
  EXPECT_EQ(refusal_of(test::hand_data(6)), "");
  EXPECT_EQ(refusal_of(test::hand_data(0)), "");
  EXPECT_EQ(refusal_of(Dataset{}), "");
}

TEST(CheckDataset, ShapesOfBlocks) {
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].family = "categorial"; }),
              AllOf(HasSubstr("block \"answers\": family: unknown family \"categorial\""),
                    HasSubstr("did you mean")));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].family = "gaussian"; }),
              HasSubstr("encoding: is not the one that the family gaussian needs"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kSizes].encoding = static_cast<Encoding>(9); }),
              HasSubstr("encoding"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kWords].name = "answers"; }),
              HasSubstr("block \"answers\": the name occurs twice"));
  EXPECT_THAT(after([](Dataset& d) {
                d.blocks[kSizes].features.clear();
                d.blocks[kSizes].first_slot = {0};
              }),
              HasSubstr("features: there are none"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].first_slot.pop_back(); }),
              HasSubstr("first_slot: has 3 entries, and must have 4"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].first_slot.clear(); }),
              HasSubstr("first_slot"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].first_slot[0] = 1; }),
              HasSubstr("must begin with 0"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].first_slot[1] = 6; }),
              HasSubstr("must rise"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].first_slot.back() = 4000000000; }),
              HasSubstr("levels: has 3 entries, and must have 3999999994"));
}

TEST(CheckDataset, Features) {
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].features[1].name = "q0"; }),
              HasSubstr("feature \"q0\": the name occurs twice"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].features[1].levels[2] = "low"; }),
              HasSubstr("feature \"q1\": levels: \"low\" occurs twice"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].features[1].levels.pop_back(); }),
              HasSubstr("feature \"q1\": levels: has 2 entries, and must have 3"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].features[1].labels = {"a"}; }),
              HasSubstr("feature \"q1\": labels: has 1 entries, and must have 3"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kSizes].features[0].levels = {"a"}; }),
              HasSubstr("feature \"height\": levels"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kSizes].features[0].shift = kNaN; }),
              HasSubstr("feature \"height\": shift: is not a number"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kSizes].first_slot = {0, 2, 3}; }),
              HasSubstr("a feature of numbers has one slot"));
  EXPECT_THAT(after([](Dataset& d) {
                Block& block = d.blocks[kWords];
                block.features.push_back({"more", {"x"}});
                block.first_slot.push_back(block.first_slot.back() + 1);
              }),
              HasSubstr("one feature, its vocabulary"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].family = "bernoulli"; }),
              HasSubstr("3 levels"));
}

TEST(CheckDataset, CellsByRow) {
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].row_start.back() = 99; }),
              HasSubstr("row_start: ends with 99, but there are 18 cells"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].row_start[2] = 99; }),
              HasSubstr("row_start: must not fall"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].row_start[0] = 1; }),
              HasSubstr("row_start: must begin with 0"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].row_start.clear(); }),
              HasSubstr("row_start: has 0 entries for 6 rows"));
  EXPECT_THAT(after([](Dataset& d) { d.rows = std::numeric_limits<std::size_t>::max(); }),
              HasSubstr("row_start: has 7 entries for 18446744073709551615 rows"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].slot[4] = 9; }),
              HasSubstr("block \"answers\": row 2: slot 9 of 9"));
  EXPECT_THAT(
      after([](Dataset& d) { std::swap(d.blocks[kAnswers].slot[3], d.blocks[kAnswers].slot[5]); }),
      HasSubstr("row 2: the slots must not fall"));
  EXPECT_THAT(after([](Dataset& d) {
                Block& block = d.blocks[kWords];
                block.slot[block.row_start[1]] = block.slot[block.row_start[1] + 1];
              }),
              HasSubstr("row 2: the words must ascend, each once"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].slot.pop_back(); }),
              HasSubstr("but there are 17 cells"));
}

TEST(CheckDataset, AFeatureMayBeObservedTwice) {
  EXPECT_EQ(after([](Dataset& d) {
              Block& block = d.blocks[kAnswers];
              block.slot[1] = block.slot[0];  // q0 twice, q1 missing
            }),
            "");
}

TEST(CheckDataset, WeightsAndValuesOfCells) {
  for (const float wrong :
       {0.0F, -1.0F, std::nanf(""), std::numeric_limits<float>::infinity(), 2e9F}) {
    EXPECT_THAT(after([&](Dataset& d) { d.blocks[kWords].weight[0] = wrong; }),
                HasSubstr("a cell's weight must be above 0 and at most 1000000000"))
        << wrong;
  }
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kWords].weight.pop_back(); }),
              HasSubstr("weight: has"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kAnswers].value = {1}; }),
              HasSubstr("value: has 1 entries, and must have 0"));
  EXPECT_THAT(after([](Dataset& d) { d.blocks[kSizes].value.pop_back(); }),
              HasSubstr("one for each cell of numbers"));
  for (const double wrong : {kNaN, kInfinite, -kInfinite}) {
    EXPECT_THAT(after([&](Dataset& d) { d.blocks[kSizes].value[0] = wrong; }),
                HasSubstr("block \"sizes\": row 1, \"height\": is not a finite number"));
  }
  EXPECT_THAT(after([](Dataset& d) {
                d.blocks[kSizes] = test::sizes(6, "poisson");
                d.blocks[kSizes].value.assign(d.blocks[kSizes].cells(), 2);
                d.blocks[kSizes].value[1] = 0.5;
              }),
              HasSubstr("0.5"));
}

TEST(CheckDataset, Rows) {
  EXPECT_THAT(after([](Dataset& d) { d.ids.pop_back(); }),
              HasSubstr("ids: has 5 entries, and must have 6"));
  EXPECT_THAT(after([](Dataset& d) { d.row_weight.pop_back(); }),
              HasSubstr("row_weight: has 5 entries"));
  for (const double wrong : {-1.0, kNaN, kInfinite, 1e16})
    EXPECT_THAT(after([&](Dataset& d) { d.row_weight[2] = wrong; }),
                HasSubstr("row_weight: a weight must be from 0 to 1e15"));
  for (const double wrong : {0.0, -1.0, kNaN, kInfinite})
    EXPECT_THAT(after([&](Dataset& d) { d.weight_unit = wrong; }),
                HasSubstr("weight_unit: must be above 0"));
}

TEST(CheckDataset, KeptColumns) {
  EXPECT_THAT(after([](Dataset& d) { d.kept[0].code.pop_back(); }),
              HasSubstr("column \"kind\": code: has 5 entries"));
  EXPECT_THAT(after([](Dataset& d) { d.kept[0].code[0] = 2; }), HasSubstr("not that of a level"));
  EXPECT_THAT(after([](Dataset& d) { d.kept[0].code[0] = -3; }), HasSubstr("not that of a level"));
  EXPECT_EQ(after([](Dataset& d) { d.kept[0].code[0] = kUnknownClass; }), "");
  EXPECT_THAT(after([](Dataset& d) { d.kept[0].labels = {"a"}; }),
              HasSubstr("column \"kind\": labels"));
  EXPECT_THAT(after([](Dataset& d) {
                SourceSpec& source = d.schema.sources.emplace_back();
                ColumnSpec& label = source.columns.emplace_back();
                label.name = "kind";
                label.role = Role::label;
                label.levels = {"odd", "even"};
              }),
              HasSubstr("its levels are not those of the schema"));
}

TEST(CheckDataset, TextIsUtf8) {
  const std::string bytes = "\xff";
  EXPECT_THAT(after([&](Dataset& d) { d.blocks[kAnswers].name = bytes; }), HasSubstr("not UTF-8"));
  EXPECT_THAT(after([&](Dataset& d) { d.blocks[kAnswers].features[0].name = bytes; }),
              HasSubstr("not UTF-8"));
  EXPECT_THAT(after([&](Dataset& d) { d.blocks[kAnswers].features[0].title = bytes; }),
              HasSubstr("not UTF-8"));
  EXPECT_THAT(after([&](Dataset& d) { d.blocks[kWords].features[0].levels[1] = bytes; }),
              HasSubstr("not UTF-8"));
  EXPECT_THAT(after([&](Dataset& d) { d.ids[1] = bytes; }), HasSubstr("ids: \"\\xFF\""));
  EXPECT_THAT(after([&](Dataset& d) { d.kept[0].levels[1] = bytes; }), HasSubstr("not UTF-8"));
  EXPECT_THAT(after([&](Dataset& d) { d.schema.na = {bytes}; }), HasSubstr("schema: na"));
}

TEST(CheckDataset, Schemas) {
  const auto with_column = [](auto change) {
    return after([&](Dataset& d) {
      ColumnSpec& column = d.schema.sources.emplace_back().columns.emplace_back();
      column.name = "x";
      column.levels = {"a", "b"};
      change(d.schema, column);
    });
  };
  EXPECT_EQ(with_column([](Schema&, ColumnSpec&) {}), "");
  EXPECT_THAT(with_column([](Schema&, ColumnSpec& c) { c.labels = {"A"}; }),
              HasSubstr("schema: source \"data\": column \"x\": labels"));
  EXPECT_THAT(with_column([](Schema&, ColumnSpec& c) { c.shift = kInfinite; }), HasSubstr("shift"));
  EXPECT_THAT(with_column([](Schema&, ColumnSpec& c) { c.role = static_cast<Role>(17); }),
              HasSubstr("its role"));
  EXPECT_THAT(with_column([](Schema&, ColumnSpec& c) { c.marks = {'x', 'x'}; }),
              HasSubstr("marks of numbers"));
  EXPECT_THAT(with_column([](Schema&, ColumnSpec& c) { c.cells = CellText::tags, c.split = ""; }),
              HasSubstr("split"));
  EXPECT_THAT(
      with_column([](Schema& s, ColumnSpec&) { s.sources[0].kind = static_cast<SourceKind>(-1); }),
      HasSubstr("its kind"));
  EXPECT_THAT(with_column([](Schema& s, ColumnSpec&) { s.block_weight["answers"] = kNaN; }),
              HasSubstr("block_weight of \"answers\""));
}

TEST(CheckDataset, EveryProblemIsListedOnce) {
  const std::string all = after([](Dataset& d) {
    d.blocks[kAnswers].slot[4] = 9;
    d.blocks[kWords].weight[0] = -1;
    d.blocks[kSizes].family = "gausian";
    d.ids.pop_back();
    d.kept[0].code[0] = 7;
  });
  EXPECT_THAT(all, AllOf(HasSubstr("slot 9"), HasSubstr("weight must be"), HasSubstr("gausian"),
                         HasSubstr("ids"), HasSubstr("kind")));
}

}  // namespace
}  // namespace medley
