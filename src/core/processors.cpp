// SPDX-License-Identifier: Apache-2.0
#include "core/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "core/control_group.hpp"

namespace medley::core {
namespace {

constexpr std::size_t kMostSets = 1024;  // of 1024 processors each

/// The mask is as long as the kernel's, which is not known: EINVAL means that there are more.
std::size_t in_affinity_mask() {
  for (std::size_t sets = 1; sets <= kMostSets; sets *= 2) {
    std::vector<cpu_set_t> mask(sets);
    const std::size_t bytes = sets * sizeof(cpu_set_t);
    if (::sched_getaffinity(0, bytes, mask.data()) == 0)
      return static_cast<std::size_t>(CPU_COUNT_S(bytes, mask.data()));
    if (errno != EINVAL) break;
  }
  return std::thread::hardware_concurrency();
}

std::size_t in_quota() {
  static std::atomic<std::size_t> found{0};
  if (found == 0) found = control_group_processors();
  return found;
}

}  // namespace

std::size_t processors() {
  return std::max<std::size_t>(1, std::min(in_affinity_mask(), in_quota()));
}

}  // namespace medley::core
