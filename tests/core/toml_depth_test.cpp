// SPDX-License-Identifier: Apache-2.0
#include "core/text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace medley::core {
namespace {

std::string deep_key(std::size_t parts, const std::string& part = "a") {
  std::string out = part;
  for (std::size_t i = 1; i < parts; ++i) out += "." + part;
  return out;
}

TEST(TomlDepth, ADeepKeyIsFoundWhereverItStands) {
  EXPECT_EQ(line_of_deep_key("x = 1\n" + deep_key(65) + " = 1\n"), 2U);
  EXPECT_EQ(line_of_deep_key("[" + deep_key(40'000) + "]\n"), 1U);
  EXPECT_EQ(line_of_deep_key("\n\nx = { " + deep_key(65) + " = 1 }\n"), 3U);
  EXPECT_EQ(line_of_deep_key(deep_key(65, "\"a.b\"") + " = 1"), 1U);
  EXPECT_EQ(line_of_deep_key(deep_key(65, " 'a' ") + " = 1"), 1U);
  EXPECT_EQ(line_of_deep_key(deep_key(65, "ä") + " = 1"), 1U);
  EXPECT_EQ(line_of_deep_key("s = '''\n" + deep_key(65) + "\n'''\n" + deep_key(65) + "=1"), 4U);
  EXPECT_EQ(line_of_deep_key("s = \"\\\"\"\n" + deep_key(65) + "=1"), 2U);
}

TEST(TomlDepth, OrdinaryFilesHaveNone) {
  EXPECT_FALSE(line_of_deep_key(""));
  EXPECT_FALSE(line_of_deep_key(deep_key(64) + " = 1\n"));
  std::string numbers = "x = [";
  for (int i = 0; i < 200; ++i) numbers += "1.5, ";
  EXPECT_FALSE(line_of_deep_key(numbers + "2.5]\n"));
  EXPECT_FALSE(line_of_deep_key("# " + deep_key(200) + "\nx = 1\n"));
  EXPECT_FALSE(line_of_deep_key("x = \"" + deep_key(200) + "\"\n"));
  EXPECT_FALSE(line_of_deep_key("x = '" + deep_key(200) + "'"));
  EXPECT_FALSE(line_of_deep_key("x = \"\"\"\n" + deep_key(200) + "\n\"\"\"\n"));
  for (const char* cut : {"x = \"", "x = '''", "x = \"\\", "\"", "#"})
    EXPECT_FALSE(line_of_deep_key(cut)) << cut;
}

}  // namespace
}  // namespace medley::core
