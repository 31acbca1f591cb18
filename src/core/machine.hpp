// SPDX-License-Identifier: Apache-2.0
// The processors and memory that this process may use, including the limits of its container.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace medley::core {

// The limits of a container: the tightest among this process's Linux control group (cgroup, version
// 1 or 2) and all groups around it. Files that are missing or hold no limit set none. `root` is
// prepended to /proc and /sys, for tests.

inline constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

/// The memory limit in bytes, or kUnlimited.
[[nodiscard]] std::size_t control_group_memory(const std::string& root = "");

/// Bytes that the groups leave: limit less use, where reclaimable caches of files do not count as
/// used; or kUnlimited.
[[nodiscard]] std::size_t control_group_memory_left(const std::string& root = "");

/// The processor limit, quota / period rounded up, at least 1; or kUnlimited.
[[nodiscard]] std::size_t control_group_processors(const std::string& root = "");

// The number of processors that this process may use.

/// The processors that this thread may run on, limited by the container's quota; at least 1. The
/// quota is read once.
[[nodiscard]] std::size_t processors();

}  // namespace medley::core
