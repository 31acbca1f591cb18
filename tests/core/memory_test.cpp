// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/child_process.hpp"
#include "core/files.hpp"
#include "core/temporary_folder.hpp"

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

TEST(Memory, WhatIsFreeIsTheLeastOfMachineGroupAndLimits) {
  const testing::TemporaryFolder folder;
  const auto put = [&](const std::string& path, const std::string& content) {
    std::filesystem::create_directories(std::filesystem::path(folder / path).parent_path());
    testing::put_content(folder / path, content);
  };
  const std::string root = folder / "";
  constexpr std::size_t kLeast = std::size_t{16} << 20U;
  put("proc/meminfo",
      "MemTotal:  90000 kB\nMemFree: 5 kB\nMemAvailable:    60000 kB\nBuffers: 1 kB\n");
  EXPECT_EQ(available_memory(root), 60000U * 1024);
  put("sys/fs/cgroup/memory.max", "50000000\n");
  EXPECT_EQ(available_memory(root), 50000000U);
  put("sys/fs/cgroup/memory.current", "30000000\n");
  EXPECT_EQ(available_memory(root), 20000000U);
  put("sys/fs/cgroup/memory.stat", "anon 5\ninactive_file 10000000\nactive_file 7\n");
  EXPECT_EQ(available_memory(root), 30000000U);
  put("sys/fs/cgroup/memory.current", "90000000\n");
  EXPECT_EQ(available_memory(root), kLeast);
  put("proc/meminfo", "nonsense\n");
  EXPECT_EQ(available_memory(root), kLeast);
}

TEST(Memory, ALimitOfAddressSpaceCounts) {
  if (!kChildMemoryIsLimited) GTEST_SKIP() << "sanitizers map terabytes";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::size_t free = available_memory();
    const struct rlimit limit{std::size_t{1} << 30U, std::size_t{1} << 30U};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(3);
    const std::size_t within = available_memory();
    ::_exit(within < (std::size_t{1} << 30U) && within <= free ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace medley::core
