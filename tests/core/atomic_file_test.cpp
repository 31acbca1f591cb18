// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/files.hpp"
#include "core/temporary_folder.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"

namespace medley::core {
namespace {

using testing::content_of;
using ::testing::HasSubstr;
using testing::put_content;
using testing::TemporaryFolder;

mode_t permissions(const std::string& path) {
  struct stat status{};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777;
}

template <typename Error>
std::string message_of(const std::string& path, const std::function<void(FileWriter&)>& fill) {
  try {
    write_atomically(path, fill);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

void write_one_byte(FileWriter& writer) {
  writer.write("x");
}

TEST(WriteAtomically, WritesPiecesOfAnySizeInOrder) {
  const TemporaryFolder folder;
  std::string expected;
  write_atomically(folder / "f", [&](FileWriter& writer) {
    for (const std::size_t size : {1u, 1000u, 300000u, 0u, 262144u, 7u, 262143u, 2u}) {
      const std::string piece(size, static_cast<char>('a' + size % 26));
      expected += piece;
      writer.write(piece);
    }
  });
  EXPECT_EQ(content_of(folder / "f"), expected);
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(WriteAtomically, ReplacesAnOlderFileAndKeepsItsPermissions) {
  const TemporaryFolder folder;
  put_content(folder / "f", "a much longer older content");
  ASSERT_EQ(::chmod((folder / "f").c_str(), 0640), 0);
  write_atomically(folder / "f", write_one_byte);
  EXPECT_EQ(content_of(folder / "f"), "x");
  EXPECT_EQ(permissions(folder / "f"), 0640u);
}

TEST(WriteAtomically, ANewFileHasTheSamePermissionsAsAnyOther) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(027);
  put_content(folder / "plain", "x");
  write_atomically(folder / "atomic", write_one_byte);
  ::umask(before);
  EXPECT_EQ(permissions(folder / "atomic"), 0640u);
  EXPECT_EQ(permissions(folder / "atomic"), permissions(folder / "plain"));
}

TEST(WriteAtomically, AnExceptionOfTheCallerLeavesTheOlderFileAndNothingElse) {
  const TemporaryFolder folder;
  put_content(folder / "f", "older");
  const auto fill = [](FileWriter& writer) {
    writer.write(std::string(1000000, 'x'));
    throw std::domain_error("changed my mind");
  };
  EXPECT_THROW(write_atomically(folder / "f", fill), std::domain_error);
  EXPECT_EQ(content_of(folder / "f"), "older");
  EXPECT_EQ(folder.entries(), 1u);
}

// A disk that fills up: a child process may write no file longer than 100,000 bytes.
TEST(WriteAtomically, AFullDiskLeavesTheOlderFileAndNothingElse) {
  const TemporaryFolder folder;
  put_content(folder / "f", "older");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit{100000, 100000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(3);
    try {
      write_atomically(folder / "f",
                       [](FileWriter& writer) { writer.write(std::string(1000000, 'x')); });
    } catch (const RunError& error) {
      const std::string text = error.what();
      const bool told =
          text.starts_with(folder / "f") &&
          text.find("nothing was written, an older file is untouched") != std::string::npos;
      ::_exit(told ? 0 : 4);
    } catch (...) {
      ::_exit(5);
    }
    ::_exit(6);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(content_of(folder / "f"), "older");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(WriteAtomically, AFolderThatDoesNotExistIsWrongInput) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of<InputError>(folder / "no/such/f", write_one_byte),
              HasSubstr("does not exist"));
  put_content(folder / "file", "x");
  EXPECT_THAT(message_of<InputError>(folder / "file/f", write_one_byte),
              HasSubstr("does not exist"));
}

TEST(WriteAtomically, AFolderOrADeviceIsNeverReplaced) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  EXPECT_THAT(message_of<InputError>(folder / "sub", write_one_byte), HasSubstr("is a folder"));
  EXPECT_THAT(message_of<InputError>(folder / "new/", write_one_byte), HasSubstr("new/"));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(message_of<InputError>(folder / "pipe", write_one_byte),
              HasSubstr("not a regular file"));
}

TEST(WriteAtomically, ALinkKeepsPointingToTheReplacedFile) {
  const TemporaryFolder folder;
  put_content(folder / "f", "older");
  std::filesystem::create_symlink("f", folder / "link");
  write_atomically(folder / "link", write_one_byte);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(content_of(folder / "f"), "x");
}

// A file as a killed run leaves it: nobody holds its lock.
void leave(const std::string& path) {
  put_content(path, "half a fi");
}

TEST(WriteAtomically, WhatKilledRunsLeftOfTheFileGoesAndNothingElse) {
  const TemporaryFolder folder;
  for (const std::string left : {"f.tmp-abc123", "f.tmp-zzzzzz"}) leave(folder / left);
  const std::vector<std::string> others = {"g.tmp-abc123", "f.tmp-abc12",  "f.tmp-abc1234",
                                           "f.tmp-ABC123", "f.tmp-abc12.", "xf.tmp-abc123"};
  for (const std::string& other : others) leave(folder / other);
  write_atomically(folder / "f", write_one_byte);
  EXPECT_FALSE(std::filesystem::exists(folder / "f.tmp-abc123"));
  EXPECT_FALSE(std::filesystem::exists(folder / "f.tmp-zzzzzz"));
  for (const std::string& other : others) EXPECT_TRUE(std::filesystem::exists(folder / other));
  EXPECT_EQ(folder.entries(), others.size() + 1);
}

TEST(WriteAtomically, WhatIsBeingWrittenStays) {
  const TemporaryFolder folder;
  write_atomically(folder / "f", [&](FileWriter& writer) {
    write_atomically(folder / "f", write_one_byte);
    remove_abandoned(folder / "f");
    EXPECT_EQ(remove_abandoned_in(folder / ""), 0u);
    writer.write("the slower one");
  });
  EXPECT_EQ(content_of(folder / "f"), "the slower one");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(WriteAtomically, LinksAndFoldersThatLookLikeLeftoversStay) {
  const TemporaryFolder folder;
  put_content(folder / "precious", "x");
  std::filesystem::create_symlink("precious", folder / "f.tmp-aaaaaa");
  std::filesystem::create_directory(folder / "f.tmp-bbbbbb");
  ASSERT_EQ(::mkfifo((folder / "f.tmp-cccccc").c_str(), 0600), 0);
  std::filesystem::create_hard_link(folder / "precious", folder / "f.tmp-dddddd");
  EXPECT_EQ(remove_abandoned_in(folder / ""), 0u);
  EXPECT_EQ(folder.entries(), 5u);
}

TEST(WriteAtomically, NobodyMayLookIntoAPrivateFileWhileItIsReplaced) {
  const TemporaryFolder folder;
  put_content(folder / "f", "secret");
  ASSERT_EQ(::chmod((folder / "f").c_str(), 0600), 0);
  const mode_t before = ::umask(0);
  WholeFile file(folder / "f");
  ::umask(before);
  EXPECT_EQ(permissions(file.temporary()), 0600u);
  file.write("new");
  file.commit();
  EXPECT_EQ(permissions(folder / "f"), 0600u);
}

// Needs another user to set the trap, so root to play them.
TEST(WriteAtomically, ALinkOfAnotherUserInASharedFolderIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make another user's link";
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "shared");
  ASSERT_EQ(::chmod((folder / "shared").c_str(), 01777), 0);
  put_content(folder / "f", "older");
  std::filesystem::create_symlink("../f", folder / "shared/link");
  write_atomically(folder / "shared/link", write_one_byte);  // of our own: as ever
  EXPECT_EQ(content_of(folder / "f"), "x");
  ASSERT_EQ(::lchown((folder / "shared/link").c_str(), 4711, 4711), 0);
  EXPECT_THAT(message_of<InputError>(folder / "shared/link", write_one_byte),
              HasSubstr("another user"));
}

TEST(WriteAtomically, ANameTooLongIsAnErrorInWords) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of<RunError>(folder / std::string(300, 'n'), write_one_byte),
              HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace medley::core
