// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace medley::core {
namespace {

constexpr std::size_t kThreads[] = {1, 2, 7};

TEST(Parallel, EveryChunkIsDoneOnceByAWorkerInRange) {
  for (const std::size_t threads : kThreads) {
    for (const std::size_t chunks : {1U, 2U, 6U, 7U, 1000U}) {
      std::vector<std::atomic<int>> done(chunks);
      std::atomic<bool> in_range{true};
      parallel_for(chunks, threads, [&](std::size_t chunk, std::size_t worker) {
        ++done[chunk];
        if (worker >= threads) in_range = false;
      });
      for (std::size_t c = 0; c < chunks; ++c)
        ASSERT_EQ(done[c], 1) << c << " of " << chunks << ", " << threads << " threads";
      EXPECT_TRUE(in_range);
    }
  }
}

TEST(Parallel, NoTwoChunksShareAWorkerAtOnce) {
  for (const std::size_t threads : kThreads) {
    std::vector<std::atomic<int>> inside(threads);
    std::atomic<bool> shared{false};
    parallel_for(500, threads, [&](std::size_t, std::size_t worker) {
      if (++inside[worker] != 1) shared = true;
      --inside[worker];
    });
    EXPECT_FALSE(shared);
  }
}

TEST(Parallel, RethrowsTheExceptionOfTheLowestChunk) {
  for (const std::size_t threads : kThreads) {
    for (int repeat = 0; repeat < 50; ++repeat) {
      std::string caught;
      try {
        parallel_for(40, threads, [](std::size_t chunk, std::size_t) {
          if (chunk % 10 == 3) throw std::runtime_error(std::to_string(chunk));
        });
      } catch (const std::runtime_error& e) {
        caught = e.what();
      }
      ASSERT_EQ(caught, "3") << threads << " threads";
    }
  }
}

TEST(Parallel, OtherChunksAreDoneWhenSomeThrow) {
  std::vector<std::atomic<int>> done(40);
  EXPECT_THROW(parallel_for(40, 7,
                            [&](std::size_t chunk, std::size_t) {
                              ++done[chunk];
                              if (chunk % 2 == 0) throw std::runtime_error("even");
                            }),
               std::runtime_error);
  EXPECT_TRUE(std::ranges::all_of(done, [](const auto& times) { return times == 1; }));
}

/// Three levels of regions; gives back how many chunks of the innermost were done, and notes in
/// `shared` whether two of them had the same worker of one region at once.
std::size_t nested(std::size_t threads, std::atomic<bool>& shared) {
  std::atomic<std::size_t> done = 0;
  parallel_for(5, threads, [&](std::size_t, std::size_t) {
    parallel_for(4, threads, [&](std::size_t, std::size_t) {
      std::vector<std::atomic<int>> inside(threads);
      parallel_for(7, threads, [&](std::size_t, std::size_t worker) {
        if (++inside[worker] != 1) shared = true;
        ++done;
        --inside[worker];
      });
    });
  });
  return done;
}

TEST(Parallel, RegionsMayBeNested) {
  for (const std::size_t threads : kThreads) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::atomic<bool> shared{false};
      ASSERT_EQ(nested(threads, shared), 5U * 4U * 7U);
      EXPECT_FALSE(shared);
    }
  }
}

TEST(Parallel, SeveralThreadsMayCallAtOnce) {
  std::atomic<bool> shared{false}, all_done{true};
  std::vector<std::thread> callers;
  for (std::size_t threads = 2; threads < 8; ++threads) {
    callers.emplace_back([&, threads] {
      for (int repeat = 0; repeat < 30; ++repeat)
        if (nested(threads, shared) != 5U * 4U * 7U) all_done = false;
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_TRUE(all_done);
  EXPECT_FALSE(shared);
}

// A thread that waits for the inner region must not be given a chunk of the outer one, which would
// take the lock that it holds.
TEST(Parallel, ABodyMayHoldALockOfTheOuterRegionAcrossAnInnerOne) {
  std::mutex lock;
  std::size_t done = 0;
  parallel_for(50, 7, [&](std::size_t, std::size_t) {
    const std::scoped_lock held(lock);
    std::atomic<std::size_t> inner = 0;
    parallel_for(20, 7, [&](std::size_t, std::size_t) { ++inner; });
    done += inner;
  });
  EXPECT_EQ(done, 50U * 20U);
}

TEST(Parallel, AnInnerExceptionComesOutOfTheOuterRegion) {
  for (const std::size_t threads : kThreads) {
    std::string caught;
    try {
      parallel_for(6, threads, [&](std::size_t outer, std::size_t) {
        parallel_for(6, threads, [&](std::size_t inner, std::size_t) {
          if (outer >= 2 && inner >= 3)
            throw std::runtime_error(std::to_string(outer) + std::to_string(inner));
        });
      });
    } catch (const std::runtime_error& e) {
      caught = e.what();
    }
    EXPECT_EQ(caught, "23") << threads << " threads";
  }
}

TEST(Parallel, NoChunksMeansNoCall) {
  for (const std::size_t threads : kThreads) {
    parallel_for(0, threads, [](std::size_t, std::size_t) { FAIL(); });
  }
}

TEST(Parallel, ThreadCountIsWhatIsWantedOrAtLeastOne) {
  EXPECT_EQ(thread_count(3), 3U);
  EXPECT_GE(thread_count(0), 1U);
}

}  // namespace
}  // namespace medley::core
