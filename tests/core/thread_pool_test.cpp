// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

// A child that has threads is more than the thread sanitizer follows: it ends it.
#if defined(__SANITIZE_THREAD__)
#define MEDLEY_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MEDLEY_THREAD_SANITIZER 1
#endif
#endif
#ifdef MEDLEY_THREAD_SANITIZER
#define NEEDS_THREADS_IN_A_CHILD GTEST_SKIP() << "not under the thread sanitizer"
#else
#define NEEDS_THREADS_IN_A_CHILD
#endif

namespace medley::core {
namespace {

/// Waits until it is true, for as long as only something broken would take.
template <class Condition>
bool comes_true(Condition&& condition) {
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > late) return false;
    std::this_thread::yield();
  }
  return true;
}

/// A region of `threads` chunks, each of which waits for all the others to be there.
template <class Body>
bool all_at_once(std::size_t threads, Body&& body) {
  std::atomic<std::size_t> there = 0;
  std::atomic<bool> met = true;
  parallel_for(threads, threads, [&](std::size_t, std::size_t worker) {
    ++there;
    if (!comes_true([&] { return there == threads || !met; })) met = false;
    body(worker);
  });
  return met;
}

bool all_at_once(std::size_t threads) {
  return all_at_once(threads, [](std::size_t) {});
}

std::size_t threads_of_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// The exit code of a child that runs `work`; -1 if a signal ended it. It ends by _exit(), or by
/// exit() with all that is done then, such as a search for leaks.
template <class Work>
int in_child(Work&& work, void (*end)(int) = ::_exit) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(120);  // should it hang
    end(work());
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return -2;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ThreadPool, AsManyThreadsAsAskedForWorkAtOnce) {
  for (const std::size_t threads : {2U, 7U, 3U, 20U}) EXPECT_TRUE(all_at_once(threads)) << threads;
}

TEST(ThreadPool, ThreadsAtWorkAtOnceHaveDifferentNumbers) {
  for (const std::size_t threads : {2U, 7U}) {
    std::vector<std::atomic<int>> times(threads);
    EXPECT_TRUE(all_at_once(threads, [&](std::size_t worker) { ++times.at(worker); }));
    for (const std::atomic<int>& each : times) EXPECT_EQ(each, 1);
  }
}

TEST(ThreadPool, ThreadsServeAgain) {
  std::mutex lock;
  std::set<pid_t> seen;  // of the kernel: unlike std::thread::id it is not given out again at once
  for (int region = 0; region < 1000; ++region) {
    parallel_for(8, 4, [&](std::size_t, std::size_t) {
      const std::scoped_lock held(lock);
      seen.insert(::gettid());
    });
  }
  EXPECT_LE(seen.size(), 20U);
}

TEST(ThreadPool, NoMoreThreadsThanChunksAreMade) {
  const std::size_t before = threads_of_process();
  parallel_for(3, 100'000, [](std::size_t, std::size_t) {});
  EXPECT_LE(threads_of_process(), before + 2);
}

TEST(ThreadPool, RegionsWithinEachOtherDoNotMultiplyThreads) {
  NEEDS_THREADS_IN_A_CHILD;
  const auto nested = [] {
    const std::size_t before = threads_of_process();
    const std::size_t most = std::max<std::size_t>(6, thread_count(0)) - 1;
    parallel_for(36, 6, [](std::size_t, std::size_t) {
      parallel_for(36, 6, [](std::size_t, std::size_t) { std::this_thread::yield(); });
    });
    return threads_of_process() <= before + most ? 0 : 1;
  };
  EXPECT_EQ(in_child(nested), 0);
}

TEST(ThreadPool, EveryThreadRoundsAsTheCaller) {
  const int usual = std::fegetround();
  for (const int rounding : {FE_UPWARD, FE_TOWARDZERO, usual}) {
    ASSERT_EQ(std::fesetround(rounding), 0);
    std::atomic<int> others = 0;
    const bool met = all_at_once(5, [&](std::size_t) {
      if (std::fegetround() != rounding) ++others;
    });
    std::fesetround(usual);
    EXPECT_TRUE(met);
    EXPECT_EQ(others, 0);
  }
}

TEST(ThreadPool, SignalsForTheProcessGoToTheCaller) {
  const pid_t caller = ::gettid();
  std::atomic<int> wrong = 0;
  EXPECT_TRUE(all_at_once(5, [&](std::size_t) {
    sigset_t blocked;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGCHLD, SIGUSR1})
      if (sigismember(&blocked, signal) != (::gettid() == caller ? 0 : 1)) ++wrong;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGPIPE, SIGPROF})
      if (sigismember(&blocked, signal) != 0) ++wrong;
  }));
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadPool, AChildHasAPoolOfItsOwnAndTheParentKeepsIts) {
  NEEDS_THREADS_IN_A_CHILD;
  ASSERT_TRUE(all_at_once(4));
  const auto works = [] { return all_at_once(4) ? 0 : 1; };
  EXPECT_EQ(in_child(works, std::exit), 0);
  EXPECT_EQ(in_child([&] { return works() + in_child(works, std::exit); }, std::exit), 0);
  EXPECT_TRUE(all_at_once(4));
}

TEST(ThreadPool, AForkBesideBusyRegionsLeavesNoLockTaken) {
  NEEDS_THREADS_IN_A_CHILD;
  std::atomic<bool> done = false;
  std::vector<std::thread> busy;
  for (int i = 0; i < 2; ++i) {
    busy.emplace_back([&done] {
      while (!done) parallel_for(4, 3, [](std::size_t, std::size_t) {});
    });
  }
  int code = 0;
  for (int i = 0; i < 20 && code == 0; ++i) code = in_child([] { return all_at_once(3) ? 0 : 1; });
  EXPECT_EQ(code, 0);
  done = true;
  for (std::thread& thread : busy) thread.join();
}

TEST(ThreadPool, ABodyMayForkAChildThatHasRegions) {
  NEEDS_THREADS_IN_A_CHILD;
  std::atomic<int> sum = 0;
  parallel_for(6, 3, [&](std::size_t, std::size_t) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(120);
      ::_exit(all_at_once(3) ? 7 : 0);
    }
    int status = 0;
    if (child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status))
      sum += WEXITSTATUS(status);
  });
  EXPECT_EQ(sum, 6 * 7);
}

/// From here on no thread can be made: none has room for such a stack.
bool forbid_threads() {
  pthread_attr_t unusual;
  return ::pthread_attr_init(&unusual) == 0 &&
         ::pthread_attr_setstacksize(&unusual, std::size_t{1} << 50U) == 0 &&
         ::pthread_setattr_default_np(&unusual) == 0;
}

TEST(ThreadPool, WithoutNewThreadsWorkGoesOnWithThoseThereAre) {
  NEEDS_THREADS_IN_A_CHILD;
  for (const std::size_t there : {1U, 2U, 4U}) {
    const auto work = [there] {
      if (!all_at_once(there)) return 1;
      pthread_attr_t usual;
      if (::pthread_getattr_default_np(&usual) != 0 || !forbid_threads()) return 2;
      const std::size_t before = threads_of_process();
      for (int repeat = 0; repeat < 100; ++repeat) {
        std::vector<std::atomic<int>> done(50);
        parallel_for(50, 8, [&](std::size_t chunk, std::size_t) { ++done[chunk]; });
        for (const std::atomic<int>& times : done)
          if (times != 1) return 3;
      }
      if (threads_of_process() != before) return 4;
      if (!all_at_once(there)) return 5;
      if (::pthread_setattr_default_np(&usual) != 0) return 6;
      return all_at_once(8) ? 0 : 7;  // and when it can it grows again
    };
    EXPECT_EQ(in_child(work), 0) << there << " threads";
  }
}

TEST(ThreadPool, TheProcessEndsWhoeverEndsIt) {
  NEEDS_THREADS_IN_A_CHILD;
  const auto from_other_thread = [] {
    all_at_once(4);
    std::thread([] { std::exit(5); }).join();
    return 1;
  };
  EXPECT_EQ(in_child(from_other_thread), 5);
  const auto from_a_body = [] {
    parallel_for(4, 4, [](std::size_t chunk, std::size_t) {
      if (chunk == 2) std::exit(6);
    });
    return 1;
  };
  EXPECT_EQ(in_child(from_a_body), 6);
  const auto with_regions_at_exit = [] {
    all_at_once(4);
    std::atexit([] {
      if (!all_at_once(4)) ::_exit(1);
    });
    return 0;
  };
  EXPECT_EQ(in_child(with_regions_at_exit, std::exit), 0);
}

}  // namespace
}  // namespace medley::core
