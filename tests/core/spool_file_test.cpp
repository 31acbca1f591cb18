// SPDX-License-Identifier: Apache-2.0
#include "core/files.hpp"

#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "medley/error.hpp"

namespace medley::core {
namespace {

TEST(SpoolFile, GivesBackWhatWasAppendedAndLeavesNothing) {
  const testing::TemporaryFolder folder;
  std::string expected;
  {
    SpoolFile spool(folder / "target");
    for (int i = 0; i < 50'000; ++i) {
      const std::string piece = std::to_string(i) + ",";
      expected += piece;
      spool.append(std::as_bytes(std::span(piece)));
    }
    EXPECT_EQ(spool.size(), expected.size());
    EXPECT_EQ(folder.entries(), 0U);  // it has no name
    write_atomically(folder / "target", [&](FileWriter& writer) { spool.copy_to(writer); });
  }
  EXPECT_EQ(testing::content_of(folder / "target"), expected);
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(SpoolFile, AnAbsentFolderIsWrongInput) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(SpoolFile(folder / "nowhere/target"), InputError);
}

}  // namespace
}  // namespace medley::core
