// SPDX-License-Identifier: Apache-2.0
#include "core/machine.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include "core/parallel.hpp"

namespace medley::core {
namespace {

TEST(Processors, AThreadBoundToOneHasOne) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(processors(), 1U);
  EXPECT_EQ(thread_count(0), 1U);
  EXPECT_EQ(thread_count(5), 5U);
  ASSERT_EQ(::sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_GE(processors(), 1U);
  EXPECT_LE(processors(), static_cast<std::size_t>(CPU_COUNT(&all)));
}

}  // namespace
}  // namespace medley::core
