// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "medley/error.hpp"
#include "medley/report.hpp"
#include "report/hand_made.hpp"

namespace medley {
namespace {

Model two_profiles() {
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(hand_made::survey());
  return hand_made::model(std::move(blocks), {0.6, 0.4});
}

TEST(NamesToml, NamesAreTakenOver) {
  const Model named =
      named_by(two_profiles(), "# a comment\n[names]\n2 = \"Fr\\u00e4il \\\"x\\\"\"\n", "n.toml");
  EXPECT_THAT(named.names(), testing::ElementsAre("", "Fr\xC3\xA4il \"x\""));
}

TEST(NamesToml, EveryProblemIsToldWithItsLine) {
  try {
    (void)named_by(two_profiles(), "[names]\n3 = \"x\"\n1 = 5\nx = \"y\"\n", "n.toml");
    FAIL();
  } catch (const InputError& error) {
    std::vector<std::string> said;
    for (const Problem& problem : error.problems()) said.push_back(problem.text());
    EXPECT_THAT(said, testing::UnorderedElementsAre(
                          testing::StartsWith("n.toml:2: there is no profile \"3\""),
                          testing::StartsWith("n.toml:3: a name must be a text"),
                          testing::StartsWith("n.toml:4: there is no profile \"x\"")));
  }
}

TEST(NamesToml, WhatIsNoTomlOrHasNoNamesIsRefused) {
  EXPECT_THROW((void)named_by(two_profiles(), "[names\n", "n.toml"), InputError);
  EXPECT_THROW((void)named_by(two_profiles(), "x = 1\n", "n.toml"), InputError);
}

}  // namespace
}  // namespace medley
