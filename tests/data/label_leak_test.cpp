// SPDX-License-Identifier: Apache-2.0
// Columns that give the label away, and columns that only nearly do.
#include "data/encode.hpp"

#include <gtest/gtest.h>

namespace medley::data {
namespace {

constexpr std::size_t kRows = 60;

Block numbers(const std::vector<std::vector<double>>& columns) {
  Block block;
  block.encoding = Encoding::real;
  block.first_slot = {0};
  for (std::size_t f = 0; f < columns.size(); ++f) {
    block.features.push_back({"x" + std::to_string(f)});
    block.first_slot.push_back(static_cast<std::uint32_t>(f + 1));
  }
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t f = 0; f < columns.size(); ++f) {
      block.slot.push_back(static_cast<std::uint32_t>(f));
      block.value.push_back(columns[f][i]);
    }
    block.row_start.push_back(block.slot.size());
  }
  return block;
}

// Two answers in the slots 0 and 1, given by `answer`.
Block answers(const std::vector<std::uint32_t>& answer) {
  Block block;
  block.encoding = Encoding::levels;
  block.features = {{"q", {"no", "yes"}}};
  block.first_slot = {0, 2};
  for (const std::uint32_t slot : answer) {
    block.slot.push_back(slot);
    block.row_start.push_back(block.slot.size());
  }
  return block;
}

TEST(LabelLeak, CopiesAndFinerCodesTell) {
  KeptColumn label{"y", {"a", "b", "c"}, {}};
  std::vector<double> copy, finer, nearly, own(kRows), constant(kRows, 4.0);
  std::vector<std::uint32_t> yes;
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::size_t h = i % 3;
    label.code.push_back(static_cast<std::int32_t>(h));
    copy.push_back(10 - static_cast<double>(h));
    finer.push_back(static_cast<double>(i % 6));  // two codes of every class
    nearly.push_back(static_cast<double>(i == 39 ? (h + 1) % 3 : h));
    own[i] = static_cast<double>(i);  // a value of its own for every row: no wonder
    yes.push_back(h == 1 ? 1U : 0U);  // "no" is of two classes
  }
  Dataset data;
  data.rows = kRows;
  data.blocks = {numbers({copy, finer, nearly, own, constant}), answers(yes)};
  EXPECT_EQ(columns_that_tell(data, label), (std::vector<std::string>{"x0", "x1"}));

  for (std::size_t i = 0; i < kRows; ++i) label.code[i] = i % 3 == 1 ? 1 : kMissingClass;
  EXPECT_TRUE(columns_that_tell(data, label).empty()) << "one class is told by everything";
  for (std::size_t i = 0; i < kRows; ++i) label.code[i] = i % 3 == 2 ? kMissingClass : i % 3 == 1;
  EXPECT_EQ(columns_that_tell(data, label), (std::vector<std::string>{"x0", "x1", "q"}));
  for (std::size_t i = 19; i < kRows; ++i) label.code[i] = kMissingClass;
  EXPECT_TRUE(columns_that_tell(data, label).empty()) << "too few rows to be surprised";
}

}  // namespace
}  // namespace medley::data
