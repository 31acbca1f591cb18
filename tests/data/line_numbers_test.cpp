// SPDX-License-Identifier: Apache-2.0
#include "data/raw.hpp"

#include <gtest/gtest.h>

#include "core/rng.hpp"

namespace medley::data {
namespace {

TEST(LineNumbers, AreThoseThatWerePut) {
  core::Rng rng(1, 5);
  std::vector<std::uint64_t> truth;
  LineNumbers lines;
  EXPECT_TRUE(lines.empty());
  std::uint64_t line = 2;
  for (int i = 0; i < 2000; ++i, line += rng.below(10) == 0 ? 1 + rng.below(5) : 1) {
    truth.push_back(line);
    lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) ASSERT_EQ(lines[i], truth[i]) << i;
}

TEST(LineNumbers, ConsecutiveLinesAreOneRun) {
  LineNumbers lines;
  for (std::uint64_t line = 2; line < 100'000; ++line) lines.push_back(line);
  EXPECT_EQ(lines.runs(), 1U);
  lines.push_back(200'000);
  EXPECT_EQ(lines.runs(), 2U);
  EXPECT_EQ(lines[lines.size() - 1], 200'000U);
}

}  // namespace
}  // namespace medley::data
