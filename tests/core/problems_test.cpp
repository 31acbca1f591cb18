// SPDX-License-Identifier: Apache-2.0
#include "core/problems.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace medley::core {
namespace {

using ::testing::HasSubstr;

InputError thrown(const Problems& problems) {
  try {
    problems.throw_if_any();
  } catch (const InputError& error) {
    return error;
  }
  return InputError({"", "nothing was thrown", ""});
}

TEST(Problems, ThreeOfAKindAreListedOneByOne) {
  Problems problems;
  for (const char* line : {"2", "3", "7"})
    problems.add(std::string("f.csv:") + line, "\"x\" is not a weight", "a number");
  const InputError error = thrown(problems);
  ASSERT_EQ(error.problems().size(), 3U);
  EXPECT_EQ(error.problems()[2].where, "f.csv:7");
  EXPECT_EQ(error.total(), 3U);
}

TEST(Problems, ManyOfAKindAreOneWithTheFirstPlaces) {
  Problems problems;
  for (int line = 2; line < 102; ++line)
    problems.add(
        "a:b/f.csv:" + std::to_string(line) + ": column \"" + (line == 4 ? "v" : "w") + '"',
        '"' + std::to_string(line) + ",5x\" is not a weight", "a number");
  problems.add("--k", "is missing");
  const InputError error = thrown(problems);
  ASSERT_EQ(error.problems().size(), 2U);
  EXPECT_EQ(error.problems()[0].text(),
            "a:b/f.csv:2: column \"w\": \"2,5x\" is not a weight; the same 99 times more: line 3; "
            "line 4, column \"v\"; line 5 ... (a number)");
  EXPECT_EQ(error.problems()[0].count, 100U);
  EXPECT_EQ(error.total(), 101U);
  EXPECT_EQ(error.unlisted(), 0U);
}

TEST(Problems, WhatHasAnotherRemedyIsAnotherKind) {
  Problems problems;
  for (char name = 'a'; name < 'a' + 25; ++name)
    problems.add("f.csv:2", "is not a number", std::string("--na ") + name);
  const InputError error = thrown(problems);
  EXPECT_EQ(error.problems().size(), InputError::kListed);
  EXPECT_EQ(error.unlisted(), 5U);
  EXPECT_THAT(error.what(), HasSubstr("... and 5 more like these"));
}

TEST(Problems, ThousandAreEnough) {
  Problems problems;
  EXPECT_THROW(
      for (std::size_t i = 0; i < Problems::kGiveUp; ++i) problems.add("f.csv", "is wrong"),
      InputError);
}

}  // namespace
}  // namespace medley::core
