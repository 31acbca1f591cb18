// SPDX-License-Identifier: Apache-2.0
#include "core/task.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/parallel.hpp"
#include "medley/error.hpp"

namespace medley::core {
namespace {

constexpr std::size_t kTaskThreads[] = {1, 2, 7};

Hooks stopping(const std::atomic<bool>& flag) {
  Hooks out;
  out.stop = &flag;
  return out;
}

TEST(Task, NothingStopsWithoutOne) {
  EXPECT_FALSE(asked_to_stop());
  EXPECT_NO_THROW(stop_if_asked());
}

TEST(Task, StopsWithItsFlagAndWithThatOfTheTaskAround) {
  std::atomic<bool> outer_flag{false}, inner_flag{false};
  const Hooks outer_hooks = stopping(outer_flag), inner_hooks = stopping(inner_flag);
  const Task outer(outer_hooks);
  {
    const Task inner(inner_hooks);
    inner_flag = true;
    EXPECT_TRUE(asked_to_stop());
    inner_flag = false;
    outer_flag = true;
    EXPECT_THROW(stop_if_asked(), Interrupted);
    const Unstoppable short_work;
    EXPECT_FALSE(asked_to_stop());
  }
  inner_flag = true;
  outer_flag = false;
  EXPECT_FALSE(asked_to_stop()) << "the inner one is over";
}

TEST(Task, DoesNotBeginWhereTheFlagIsSetAlready) {
  const std::atomic<bool> flag{true};
  const Hooks hooks = stopping(flag);
  EXPECT_THROW(const Task task(hooks), Interrupted);
  EXPECT_EQ(Task::current(), nullptr);
}

TEST(Task, ParallelForBeginsNoChunkOnceStopped) {
  for (const std::size_t threads : kTaskThreads) {
    std::atomic<bool> flag{false};
    const Hooks hooks = stopping(flag);
    const Task task(hooks);
    flag = true;
    std::atomic<int> begun{0};
    EXPECT_THROW(parallel_for(100, threads, [&](std::size_t, std::size_t) { ++begun; }),
                 Interrupted);
    EXPECT_EQ(begun, 0);
  }
}

TEST(Task, IsStoppedFromAnotherThreadAndThePoolWorksAfterwards) {
  for (const std::size_t threads : kTaskThreads) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::atomic<bool> flag{false}, reached{false};
      std::thread other([&] {
        while (!reached) std::this_thread::yield();
        flag = true;
      });
      const Hooks hooks = stopping(flag);
      {
        const Task task(hooks);
        // Without end but for the flag: 2^40 chunks.
        EXPECT_THROW(parallel_for(std::size_t{1} << 40U, threads,
                                  [&](std::size_t, std::size_t) { reached = true; }),
                     Interrupted);
      }
      other.join();
      std::atomic<int> done{0};
      parallel_for(100, threads, [&](std::size_t, std::size_t) { ++done; });
      ASSERT_EQ(done, 100);
    }
  }
}

TEST(Task, IsInForceInChunksAndInChunksOfChunks) {
  for (const std::size_t threads : kTaskThreads) {
    std::atomic<bool> flag{false};
    const Hooks hooks = stopping(flag);
    const Task task(hooks);
    std::atomic<int> in_force{0};
    EXPECT_THROW(parallel_for(8, threads,
                              [&](std::size_t, std::size_t) {
                                parallel_for(8, threads, [&](std::size_t, std::size_t) {
                                  if (Task::current() == &task) ++in_force;
                                });
                                flag = true;
                                parallel_for(8, threads,
                                             [&](std::size_t, std::size_t) { ADD_FAILURE(); });
                                ADD_FAILURE() << "went on";
                              }),
                 Interrupted);
    EXPECT_GE(in_force, 8);
  }
  EXPECT_EQ(Task::current(), nullptr);
}

TEST(Task, ATaskOfAChunkStopsTheWholeLoopOnlyByItsException) {
  for (const std::size_t threads : kTaskThreads) {
    std::atomic<int> done{0};
    const std::atomic<bool> flag{true};
    parallel_for(20, threads, [&](std::size_t, std::size_t) {
      const Task own(&flag);
      try {
        stop_if_asked();
      } catch (const Interrupted&) {
        ++done;
      }
    });
    EXPECT_EQ(done, 20);
  }
}

TEST(Task, AFailureIsToldRatherThanTheInterruption) {
  for (const std::size_t threads : kTaskThreads) {
    std::atomic<bool> flag{false};
    const Hooks hooks = stopping(flag);
    const Task task(hooks);
    EXPECT_THROW(parallel_for(100, threads,
                              [&](std::size_t chunk, std::size_t) {
                                if (chunk != 0) return;
                                flag = true;
                                throw std::runtime_error("it failed");
                              }),
                 std::runtime_error);
  }
}

TEST(Task, InterruptedIsNoRunError) {
  try {
    throw Interrupted();
  } catch (const std::runtime_error&) {
    FAIL() << "it would pass for a failure";
  } catch (const Interrupted& e) {
    EXPECT_STREQ(e.what(), "interrupted");
  }
}

TEST(Stage, IsToldAtOnceAndThenNowAndAgain) {
  std::vector<Progress> told;
  Hooks hooks;
  hooks.progress = [&](const Progress& p) { told.push_back(p); };
  const Task task(hooks);
  {
    Stage stage("scoring rows", 10);
    stage.add(4);
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    stage.add(1);
    Stage within("something else", 3);
    within.add(3);
  }
  Stage next("reading");
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[0].stage, "scoring rows");
  EXPECT_EQ(told[0].rows_seen, 0U);
  EXPECT_EQ(told[0].rows_all, 10U);
  EXPECT_EQ(told[1].rows_seen, 5U);
  EXPECT_NEAR(told[1].seconds_left, told[1].seconds, 1e-9) << "half of it is done";
  EXPECT_EQ(told[2].stage, "reading");
}

TEST(Stage, IsToldToTheTaskAroundUnlessTheInnerOneIsSilent) {
  std::vector<std::string> told;
  Hooks hooks;
  hooks.progress = [&](const Progress& p) { told.push_back(p.stage); };
  const Task task(hooks);
  {
    const Hooks none;
    const Task inner(none);
    const Stage stage("passed on");
  }
  {
    const Task silent(static_cast<const std::atomic<bool>*>(nullptr));
    const Stage stage("kept back");
  }
  EXPECT_EQ(told, std::vector<std::string>{"passed on"});
}

TEST(Stage, IsToldByOneThreadAtATime) {
  std::atomic<int> inside{0};
  std::atomic<bool> at_once{false};
  Hooks hooks;
  hooks.progress = [&](const Progress&) {
    if (++inside != 1) at_once = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --inside;
  };
  const Task task(hooks);
  Stage stage("rows", 400);
  parallel_for(400, 7, [&](std::size_t, std::size_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stage.add(1);
  });
  EXPECT_FALSE(at_once);
}

}  // namespace
}  // namespace medley::core
