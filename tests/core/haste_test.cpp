// SPDX-License-Identifier: Apache-2.0
// When a file is synced, and how: this program has the calls that do so under its own eyes.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/files.hpp"
#include "core/temporary_folder.hpp"
#include "medley/error.hpp"

namespace {

int syncs = 0;
std::vector<std::int64_t> started, awaited;  // where pieces begin
int range_error = 0;                         // of the next call

}  // namespace

// In the place of the C library's.
extern "C" int fsync(int file) {
  ++syncs;
  return static_cast<int>(::syscall(SYS_fsync, file));
}

extern "C" int sync_file_range(int /*file*/, off_t at, off_t /*size*/, unsigned flags) {
  if (range_error != 0) {
    errno = range_error;
    return -1;
  }
  (flags == SYNC_FILE_RANGE_WRITE ? started : awaited).push_back(at);
  return 0;
}

namespace medley::core {
namespace {

using testing::content_of;
using ::testing::HasSubstr;
using testing::put_content;
using testing::TemporaryFolder;

constexpr std::chrono::seconds kNone(0), kMuch(3600);
constexpr std::int64_t kPiece = std::int64_t{8} << 20U;

class Syncing : public ::testing::Test {
 protected:
  Syncing() {
    syncs = range_error = 0;
    started.clear();
    awaited.clear();
  }
  ~Syncing() override { range_error = 0; }
  Syncing(const Syncing&) = delete;
  Syncing& operator=(const Syncing&) = delete;

  void write() const {
    write_atomically(folder / "f", [&](FileWriter& writer) { writer.write(large); });
  }

  const TemporaryFolder folder;
  const std::string large = std::string(5 * static_cast<std::size_t>(kPiece) + 5, 'x');
};

TEST_F(Syncing, ALargeFileGoesToTheDiskInPiecesAndThenWithItsFolder) {
  write();
  const std::vector<std::int64_t> pieces{0, kPiece, 2 * kPiece, 3 * kPiece, 4 * kPiece, 5 * kPiece};
  EXPECT_EQ(started, pieces);
  EXPECT_EQ(awaited, pieces);
  EXPECT_EQ(syncs, 2);
}

TEST_F(Syncing, ASmallFileIsSyncedAtOnce) {
  write_atomically(folder / "f", [](FileWriter& writer) { writer.write("x"); });
  EXPECT_TRUE(started.empty());
  EXPECT_EQ(syncs, 2);
}

TEST_F(Syncing, InHasteTheDiskIsNotWaitedFor) {
  put_content(folder / "f", "older");
  std::atomic<bool> asked{false};
  const Haste haste(&asked, kNone);
  write_atomically(folder / "f", [&](FileWriter& writer) {
    writer.write(large);
    asked = true;
  });
  EXPECT_EQ(syncs, 0);
  EXPECT_TRUE(awaited.empty());
  EXPECT_TRUE(content_of(folder / "f") == large);
  EXPECT_EQ(folder.entries(), 1u);
}

TEST_F(Syncing, InHasteASmallFileIsWrittenAllTheSame) {
  const std::atomic<bool> asked{true};
  const Haste haste(&asked, kNone);
  write_atomically(folder / "f", [](FileWriter& writer) {
    for (int i = 0; i < 3; ++i) writer.write(std::string(1000000, 'x'));
  });
  EXPECT_EQ(content_of(folder / "f").size(), 3000000u);
  EXPECT_EQ(syncs, 0);
}

TEST_F(Syncing, AFileForWhichThereIsNoTimeLeavesTheOlderOne) {
  put_content(folder / "f", "older");
  std::atomic<bool> asked{true};
  const Haste haste(&asked, kNone);
  EXPECT_THROW(write(), OutOfTime);
  EXPECT_EQ(content_of(folder / "f"), "older");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST_F(Syncing, HasteBeginsWhenItIsAskedFor) {
  std::atomic<bool> asked{false};
  const Haste haste(&asked, kNone);
  write();
  EXPECT_EQ(syncs, 2);
  asked = true;
  EXPECT_THROW(write(), OutOfTime);
}

TEST_F(Syncing, ADiskThatIsFastEnoughIsWaitedForEvenInHaste) {
  const std::atomic<bool> asked{true};
  const Haste haste(&asked, kMuch);
  write();
  EXPECT_EQ(syncs, 2);
}

TEST_F(Syncing, HasteEndsWithItsScope) {
  const std::atomic<bool> asked{true};
  {
    const Haste haste(&asked, kNone);
  }
  write();
  EXPECT_EQ(syncs, 2);
}

TEST_F(Syncing, AnErrorThatAPieceTellsIsTheFiles) {
  put_content(folder / "f", "older");
  for (const int error : {EIO, ENOSPC}) {
    range_error = error;
    try {
      write();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const RunError& thrown) {
      EXPECT_THAT(thrown.what(), HasSubstr("cannot be written"));
    }
    EXPECT_EQ(content_of(folder / "f"), "older");
    EXPECT_EQ(folder.entries(), 1u);
  }
}

TEST_F(Syncing, WhereThereAreNoPiecesAllIsSyncedAtOnce) {
  range_error = ENOSYS;
  write();
  EXPECT_EQ(syncs, 2);
  EXPECT_TRUE(content_of(folder / "f") == large);
}

}  // namespace
}  // namespace medley::core
