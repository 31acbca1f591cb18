// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
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
