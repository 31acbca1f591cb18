// SPDX-License-Identifier: Apache-2.0
// How much memory there is and how much was used, so that a fit too large can be refused in words.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include "core/control_group.hpp"
#include "core/files.hpp"

namespace medley::core {
namespace {

constexpr std::size_t kAlwaysThere = std::size_t{16} << 20U;

/// What the kernel reckons new programs can have without swapping.
std::size_t free_on_machine(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("MemAvailable:")) continue;
    const std::size_t digit = line.find_first_of("0123456789");
    if (digit == std::string::npos) break;
    std::uint64_t kib = 0;
    for (std::size_t i = digit; i < line.size() && line[i] >= '0' && line[i] <= '9'; ++i)
      kib = std::min<std::uint64_t>(kib * 10 + static_cast<std::uint64_t>(line[i] - '0'),
                                    kUnlimited / 20480);
    return kib * 1024;
  }
  return physical_memory();
}

/// What `ulimit -v` leaves.
std::size_t free_in_limits(const std::string& root) {
  struct rlimit space{};
  if (::getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) return kUnlimited;
  std::size_t pages = 0;
  std::ifstream(root + "/proc/self/statm") >> pages;
  const std::size_t used = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return space.rlim_cur - std::min<std::size_t>(space.rlim_cur, used);
}

}  // namespace

std::size_t physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  const std::size_t machine = pages > 0 && page > 0
                                  ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                                  : kUnlimited;
  return std::min(machine, control_group_memory());
}

std::size_t available_memory(const std::string& root) {
  const std::size_t least =
      std::min({free_on_machine(root), control_group_memory_left(root), free_in_limits(root)});
  return std::max(least, kAlwaysThere);
}

std::size_t peak_memory() {
  struct rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

}  // namespace medley::core
