// SPDX-License-Identifier: Apache-2.0
// How much memory there is and how much was used, so that a fit too large can be refused in words.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <string>

#include "core/files.hpp"

namespace medley::core {
namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

/// A limit file holds one number, or "max".
std::size_t limit_in(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  std::size_t value = 0;
  if (!(file >> text)) return kUnlimited;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc{} ? value : kUnlimited;
}

/// The tightest memory limit of this process's control group and of those around it (containers).
std::size_t control_group_limit() {
  const std::string root = "/sys/fs/cgroup";
  std::size_t limit =
      std::min(limit_in(root + "/memory.max"), limit_in(root + "/memory/memory.limit_in_bytes"));
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::/")) continue;
    for (std::string group = line.substr(3); group.size() > 1;
         group.resize(group.find_last_of('/'))) {
      limit = std::min(limit, limit_in(root + group + "/memory.max"));
    }
  }
  return limit;
}

}  // namespace

std::size_t physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  const std::size_t machine = pages > 0 && page > 0
                                  ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                                  : kUnlimited;
  return std::min(machine, control_group_limit());
}

std::size_t peak_memory() {
  struct rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

}  // namespace medley::core
