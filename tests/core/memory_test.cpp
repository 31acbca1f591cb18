// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "core/files.hpp"

namespace medley::core {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

TEST(Memory, APlausibleAmountIsInstalled) {
  EXPECT_GE(physical_memory(), 64 * kMiB);
  EXPECT_LT(physical_memory(), kMiB * kMiB * 64);
}

TEST(Memory, ThePeakIsAtLeastWhatWasTouched) {
  std::vector<char> touched(96 * kMiB, 'x');
  EXPECT_GE(peak_memory(), touched.size());
}

}  // namespace
}  // namespace medley::core
