// SPDX-License-Identifier: Apache-2.0
// How much memory there is and how much was used, so that a fit too large can be refused in words.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "core/control_group.hpp"
#include "core/files.hpp"

namespace medley::core {
std::size_t physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  const std::size_t machine = pages > 0 && page > 0
                                  ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                                  : kUnlimited;
  return std::min(machine, control_group_memory());
}

std::size_t peak_memory() {
  struct rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

}  // namespace medley::core
