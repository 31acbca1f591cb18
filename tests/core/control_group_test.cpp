// SPDX-License-Identifier: Apache-2.0
#include "core/machine.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/temporary_folder.hpp"

namespace medley::core {
namespace {

/// A small /proc and /sys.
class ControlGroup : public ::testing::Test {
 protected:
  void put(const std::string& path, const std::string& content) {
    std::filesystem::create_directories(std::filesystem::path(folder_ / path).parent_path());
    testing::put_content(folder_ / path, content);
  }
  void put_groups(const std::string& content) { put("proc/self/cgroup", content); }
  [[nodiscard]] std::size_t processors() const { return control_group_processors(folder_ / ""); }
  [[nodiscard]] std::size_t memory() const { return control_group_memory(folder_ / ""); }

 private:
  testing::TemporaryFolder folder_;
};

TEST_F(ControlGroup, WithoutFilesThereIsNoLimit) {
  EXPECT_EQ(processors(), kUnlimited);
  EXPECT_EQ(memory(), kUnlimited);
}

TEST_F(ControlGroup, TheQuotaIsRoundedUp) {
  const auto of = [&](const std::string& content) {
    put("sys/fs/cgroup/cpu.max", content);
    return processors();
  };
  EXPECT_EQ(of("200000 100000\n"), 2U);
  EXPECT_EQ(of("200001 100000\n"), 3U);
  EXPECT_EQ(of("1000 100000\n"), 1U);
  EXPECT_EQ(of("150000\n"), 2U);
  EXPECT_EQ(of("18446744073709551615 1\n"), kUnlimited);
  EXPECT_EQ(of("18446744073709551615 18446744073709551614"), 2U);
}

TEST_F(ControlGroup, WhatIsNoQuotaLimitsNothing) {
  for (const std::string content :
       {"max 100000\n", "max\n", "", "\n", "100000 0\n", "0 100000\n", "-1 100000\n", "100000 -1\n",
        "1e5 100000\n", "100000 100000 100000\n", "100000x 100000\n", "+100000 100000\n",
        "99999999999999999999999 100000\n", "\xff\xfe\n", "100000 max\n"}) {
    put("sys/fs/cgroup/cpu.max", content);
    EXPECT_EQ(processors(), kUnlimited) << content;
  }
  put("sys/fs/cgroup/cpu.max", std::string(1'000'000, '9'));
  EXPECT_EQ(processors(), kUnlimited);
  put("sys/fs/cgroup/cpu.max", std::string(254, ' ') + "100000 100000");
  EXPECT_EQ(processors(), kUnlimited);
  put("sys/fs/cgroup/cpu.max", std::string("1\0 1", 4));
  EXPECT_EQ(processors(), kUnlimited);
}

TEST_F(ControlGroup, AFolderInPlaceOfAFileLimitsNothing) {
  put("sys/fs/cgroup/cpu.max/file", "");
  put("proc/self/cgroup/file", "");
  EXPECT_EQ(processors(), kUnlimited);
}

TEST_F(ControlGroup, TheTightestGroupOnTheWayToTheRootCounts) {
  put_groups("0::/a/b:c/d\n");
  put("sys/fs/cgroup/a/b:c/d/cpu.max", "max 100000\n");
  put("sys/fs/cgroup/a/cpu.max", "500000 100000\n");
  put("sys/fs/cgroup/a/other/cpu.max", "100000 100000\n");  // not ours
  EXPECT_EQ(processors(), 5U);
  put("sys/fs/cgroup/a/b:c/cpu.max", "300000 100000\n");
  EXPECT_EQ(processors(), 3U);
  put("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(processors(), 2U);
  put("sys/fs/cgroup/a/b:c/d/cpu.max", "10000 100000\n");
  EXPECT_EQ(processors(), 1U);
}

TEST_F(ControlGroup, VersionOneIsUnderstood) {
  put_groups("9:name=systemd:/\n4:memory:/job\n3:cpuset:/\n2:cpu,cpuacct:/job/step\n0::/\n");
  put("sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_quota_us", "-1\n");
  put("sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(processors(), kUnlimited);
  put("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "350000\n");
  EXPECT_EQ(processors(), kUnlimited);  // no period
  put("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(processors(), 4U);
  put("sys/fs/cgroup/cpu/job/step/cpu.cfs_quota_us", "50000\n");
  put("sys/fs/cgroup/cpu/job/step/cpu.cfs_period_us", "25000\n");
  EXPECT_EQ(processors(), 2U);
}

// Without a namespace of its own a container is told the name its group has outside, and sees that
// group as the root.
TEST_F(ControlGroup, TheRootCountsWhenTheGroupIsNotThere) {
  put_groups("5:cpu,cpuacct:/docker/0123\n4:memory:/docker/0123\n");
  put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000000\n");
  EXPECT_EQ(processors(), 2U);
  EXPECT_EQ(memory(), 1'000'000U);
}

TEST_F(ControlGroup, OddListsOfGroupsDoNoHarm) {
  put("sys/fs/cgroup/cpu.max", "400000 100000\n");
  put("elsewhere/cpu.max", "100000 100000\n");
  for (const std::string& list :
       {std::string(), std::string("\n\n"), std::string("0:"), std::string("0::"),
        std::string("::::"), std::string("0::relative/a"), std::string("0::/../../../elsewhere"),
        std::string("0::/a/../../../../elsewhere"), std::string("0::/.."),
        std::string("1:cpu,../../..:/elsewhere"), std::string("0::////"),
        "0::" + std::string(1'000'000, '/'), std::string("0::/\0/a", 7)}) {
    put_groups(list);
    EXPECT_EQ(processors(), 4U) << list.substr(0, 50);
  }
}

TEST_F(ControlGroup, MemoryIsTheTightestLimitOfBothVersions) {
  put_groups("4:memory:/job/step\n0::/a/b\n");
  put("sys/fs/cgroup/a/b/memory.max", "max\n");
  put("sys/fs/cgroup/memory/job/step/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(memory(), 9223372036854771712U);
  put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "3000000\n");
  EXPECT_EQ(memory(), 3'000'000U);
  put("sys/fs/cgroup/a/memory.max", "2000000\n");
  EXPECT_EQ(memory(), 2'000'000U);
  put("sys/fs/cgroup/a/memory.max", "2000000 garbage\n");
  EXPECT_EQ(memory(), 3'000'000U);
}

}  // namespace
}  // namespace medley::core
