// SPDX-License-Identifier: Apache-2.0
// What this process may use of the machine: processors and memory, less what its container holds
// back.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace medley::core {

// What a container allows us: the tightest limit among this process's Linux control group (cgroup,
// version 1 or 2) and all those around it. Files that are missing or hold something else than a
// limit set none. `root` goes before /proc and /sys, for tests.

inline constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

/// Bytes of memory, or kUnlimited.
[[nodiscard]] std::size_t control_group_memory(const std::string& root = "");

/// Bytes that the groups leave: limit less use, where caches of files that could be given back do
/// not count as used; or kUnlimited.
[[nodiscard]] std::size_t control_group_memory_left(const std::string& root = "");

/// Processors' worth of time, quota / period rounded up, at least 1; or kUnlimited.
[[nodiscard]] std::size_t control_group_processors(const std::string& root = "");

// How many processors this process may use.

/// Those this thread may run on, at most what the container's quota comes to; at least 1. The quota
/// is read once.
[[nodiscard]] std::size_t processors();

}  // namespace medley::core
