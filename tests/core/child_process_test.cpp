// SPDX-License-Identifier: Apache-2.0
#include "core/child_process.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/temporary_folder.hpp"
#include "medley/error.hpp"

namespace medley::core {
namespace {

using medley::testing::content_of;
using medley::testing::put_content;
using medley::testing::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

using Work = std::function<void(FileWriter&)>;

std::string all_of(ByteSource& source) {
  std::string all;
  for (std::string_view piece = source.next(); !piece.empty(); piece = source.next()) all += piece;
  return all;
}

std::string output_of(const Work& work, const ChildLimits& limits = {}, int input = -1) {
  return all_of(*run_in_child("the file", input, limits, work));
}

std::string refusal_of(const Work& work, const ChildLimits& limits = {}) {
  try {
    (void)output_of(work, limits);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::size_t open_files() {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

/// Every test must leave no child, dead or alive, and no open file.
class ChildProcess : public ::testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
    EXPECT_EQ(open_files(), files_);
  }

 private:
  std::size_t files_ = open_files();
};

// The compiler must not see that a loop has no end or that a pointer is null.
volatile bool forever = true;
int* volatile nowhere = nullptr;

TEST_F(ChildProcess, WhatItWritesComesBack) {
  EXPECT_EQ(output_of([](FileWriter&) {}), "");
  std::string long_text(3'000'000, 'x');
  for (std::size_t i = 0; i < long_text.size(); ++i) long_text[i] = static_cast<char>(i * i / 7);
  const std::string back = output_of([&](FileWriter& out) {
    out.write("begin ");
    out.write(long_text);
  });
  EXPECT_EQ(back, "begin " + long_text);
}

TEST_F(ChildProcess, ItReadsTheInputAndNoOtherOpenFile) {
  const TemporaryFolder folder;
  put_content(folder / "input", "content");
  put_content(folder / "other", "secret");
  const int input = ::open((folder / "input").c_str(), O_RDONLY | O_CLOEXEC);
  const int other = ::open((folder / "other").c_str(), O_RDWR | O_CLOEXEC);
  const std::string back = output_of(
      [&](FileWriter& out) {
        char bytes[20];
        const ssize_t got = ::read(input, bytes, sizeof bytes);
        out.write(std::string_view(bytes, static_cast<std::size_t>(std::max<ssize_t>(got, 0))));
        out.write(::read(other, bytes, sizeof bytes) < 0 && errno == EBADF ? " closed" : " open");
        out.write(::read(STDIN_FILENO, bytes, 1) == 0 ? " nothing" : " something");
      },
      {}, input);
  EXPECT_EQ(back, "content closed nothing");
  ::close(input);
  ::close(other);
}

TEST_F(ChildProcess, ItCannotWriteFiles) {
  const TemporaryFolder folder;
  put_content(folder / "file", "as it was");
  const std::string path = folder / "file";
  const std::string back = output_of([&](FileWriter& out) {
    std::signal(SIGXFSZ, SIG_IGN);
    const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    out.write(::write(file, "more", 4) < 0 ? "refused" : "written");
  });
  EXPECT_EQ(back, "refused");
  EXPECT_EQ(content_of(path), "as it was");
}

TEST_F(ChildProcess, ACrashIsAnErrorThatNamesTheFile) {
  const auto crashed = AllOf(HasSubstr("the file: could not be read: the reader crashed"),
                             HasSubstr("damaged or made to do harm"));
  EXPECT_THAT(refusal_of([](FileWriter&) { *nowhere = 1; }), crashed);
  EXPECT_THAT(refusal_of([](FileWriter&) { std::abort(); }), crashed);
  EXPECT_THAT(refusal_of([](FileWriter&) { ::_exit(77); }), crashed);
  EXPECT_THAT(refusal_of([](FileWriter&) { throw std::runtime_error("unexpected"); }), crashed);
  EXPECT_THAT(refusal_of([](FileWriter&) { ::raise(SIGKILL); }), HasSubstr("killed"));
}

TEST_F(ChildProcess, WhatCameBeforeACrashIsDelivered) {
  const auto source = run_in_child("f", -1, {}, [](FileWriter& out) {
    out.write("half");
    std::abort();
  });
  EXPECT_EQ(source->next(), "half");
  EXPECT_THROW((void)source->next(), InputError);
  EXPECT_EQ(source->next(), "");
}

TEST_F(ChildProcess, MemoryWithoutEndIsRefused) {
  if (!kChildMemoryIsLimited) GTEST_SKIP() << "sanitizers need the address space for themselves";
  const auto hoard = [](FileWriter&) {
    std::vector<std::string> hoarded;
    while (forever) hoarded.emplace_back(std::size_t{1} << 22, 'x');
  };
  ChildLimits limits;
  limits.memory = std::size_t{64} << 20;
  EXPECT_THAT(refusal_of(hoard, limits), HasSubstr("more memory than the 64 MB allowed"));
  // What is within the limit is fine, however much the parent has.
  const std::vector<char> ours(std::size_t{128} << 20, 'x');
  const auto modest = [](FileWriter& out) {
    out.write(std::string(std::size_t{16} << 20, 'y').substr(0, 1));
  };
  EXPECT_EQ(output_of(modest, limits), "y");
}

TEST_F(ChildProcess, SpinningWithoutEndIsRefused) {
  ChildLimits limits;
  limits.processor_seconds = 1;
  EXPECT_THAT(refusal_of(
                  [](FileWriter&) {
                    while (forever) continue;
                  },
                  limits),
              HasSubstr("did not finish within 1 seconds"));
}

TEST_F(ChildProcess, SilenceIsRefused) {
  ChildLimits limits;
  limits.silent_seconds = 1;
  EXPECT_THAT(refusal_of(
                  [](FileWriter&) {
                    while (forever) ::pause();
                  },
                  limits),
              HasSubstr("silent for 1 seconds"));
}

TEST_F(ChildProcess, AChildThatClosesThePipeAndStaysIsEnded) {
  // The pipe is the only file above the standard streams that it has.
  EXPECT_THAT(refusal_of([](FileWriter&) {
                ::close_range(3, ~0U, 0);
                while (forever) ::pause();
              }),
              HasSubstr("killed"));
}

TEST_F(ChildProcess, AnUnreadChildGoesWithItsSource) {
  const auto endless = [](FileWriter& out) {
    while (forever) out.write(std::string(1000, 'x'));
  };
  {
    const auto never_read = run_in_child("f", -1, {}, endless);
    const auto read_once = run_in_child("f", -1, {}, endless);
    EXPECT_FALSE(read_once->next().empty());
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

std::atomic<int>* exits = nullptr;  // in memory that parent and child share

TEST_F(ChildProcess, TheParentsExitHandlersAreLeftAlone) {
  void* shared = ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  exits = new (shared) std::atomic<int>(0);
  ASSERT_EQ(std::atexit([] { ++*exits; }), 0);
  EXPECT_EQ(output_of([](FileWriter& out) { out.write("x"); }), "x");
  EXPECT_EQ(exits->load(), 0);
}

TEST_F(ChildProcess, SignalsThatInterruptTheParentDoNoHarm) {
  struct sigaction old{}, counting{};
  counting.sa_handler = [](int) {};
  ASSERT_EQ(::sigaction(SIGALRM, &counting, &old), 0);
  const pthread_t reader = ::pthread_self();
  std::atomic<bool> done = false;
  std::thread disturber([&] {
    while (!done) {
      ::pthread_kill(reader, SIGALRM);
      std::this_thread::yield();
    }
  });
  const std::string back = output_of([](FileWriter& out) {
    for (int i = 0; i < 2000; ++i) out.write(std::string(1000, static_cast<char>('a' + i % 26)));
  });
  done = true;
  disturber.join();
  ::sigaction(SIGALRM, &old, nullptr);
  EXPECT_EQ(back.size(), 2'000'000U);
}

TEST_F(ChildProcess, ItWorksBesideBusyThreads) {
  std::atomic<bool> done = false;
  std::vector<std::thread> busy;
  for (int i = 0; i < 3; ++i) {
    busy.emplace_back([&done] {
      while (!done) std::vector<std::string> kept(100, std::string(100, 'x'));
    });
  }
  for (int i = 0; i < 30; ++i) {
    const std::string expected = std::to_string(i) + std::string(100'000, 'y');
    const std::string back = output_of([&](FileWriter& out) {
      std::string made;  // allocates in the child while the threads held the allocator at the fork
      for (const char c : expected) made.push_back(c);
      out.write(made);
    });
    EXPECT_EQ(back, expected);
  }
  done = true;
  for (std::thread& thread : busy) thread.join();
}

TEST_F(ChildProcess, SeveralAtOnceDoNotMixUp) {
  std::vector<std::unique_ptr<ByteSource>> sources;
  for (int i = 0; i < 5; ++i) {
    sources.push_back(
        run_in_child("f", -1, {}, [i](FileWriter& out) { out.write(std::to_string(i)); }));
  }
  for (int i = 4; i >= 0; --i)
    EXPECT_EQ(all_of(*sources[static_cast<std::size_t>(i)]), std::to_string(i));
}

}  // namespace
}  // namespace medley::core
