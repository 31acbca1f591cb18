// SPDX-License-Identifier: Apache-2.0
#include "core/machine.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/files.hpp"

namespace medley::core {
namespace {

constexpr std::size_t kLongestPath = 4096;       // PATH_MAX
constexpr std::uint64_t kUsualPeriod = 100'000;  // microseconds, where only a quota is given
constexpr std::string_view kBlank = " \t\r\n";

/// The words of a limit file, which is one short line; no words if the line is long.
std::vector<std::string> words_of(const std::string& path) {
  std::array<char, 256> bytes{};
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), bytes.size());
  std::string_view text(bytes.data(), static_cast<std::size_t>(file.gcount()));
  std::vector<std::string> out;
  if (text.size() == bytes.size()) return out;
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
    if (text.empty()) return out;
    const std::size_t length = std::min(text.find_first_of(kBlank), text.size());
    out.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
}

/// A whole number above 0, or nothing for "max", -1 and anything else.
std::optional<std::uint64_t> number(const std::string& word) {
  std::uint64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || stopped != end || value == 0) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> number_in(const std::string& path) {
  const std::vector<std::string> words = words_of(path);
  return words.size() == 1 ? number(words.front()) : std::nullopt;
}

/// `mount` with each group on the way to `group` below it, such as /a and /a/b for /a/b.
void add_groups(const std::string& mount, std::string group, std::vector<std::string>& folders) {
  if (group.size() > kLongestPath || !group.starts_with('/')) return;
  if ((group + '/').find("/../") != std::string::npos) return;  // outside of what we are shown
  for (; group.size() > 1; group.resize(group.find_last_of('/'))) folders.push_back(mount + group);
}

/// Every folder that may hold a limit of `controller` ("cpu", "memory"). The lines of
/// /proc/self/cgroup are `number:controllers:group`, without controllers for version 2. In a
/// container the named groups may not be visible; its own group is then the mounted folder.
std::vector<std::string> folders_of(const std::string& controller, const std::string& root) {
  const std::string base = root + "/sys/fs/cgroup";
  std::vector<std::string> out = {base, base + "/unified", base + "/" + controller};
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      add_groups(base, group, out);
      add_groups(base + "/unified", group, out);
    } else if (("," + controllers + ",").find("," + controller + ",") != std::string::npos) {
      add_groups(base + "/" + controller, group, out);
      if (controllers == controller || controllers.find('/') != std::string::npos) continue;
      out.push_back(base + "/" + controllers);
      add_groups(base + "/" + controllers, group, out);
    }
  }
  return out;
}

/// "max 100000" or "150000 100000": microseconds of processor time in each period.
std::size_t processors_in(const std::string& folder) {
  std::optional<std::uint64_t> quota, period;
  if (const auto words = words_of(folder + "/cpu.max"); !words.empty() && words.size() <= 2) {
    quota = number(words[0]);
    period = words.size() == 2 ? number(words[1]) : kUsualPeriod;
  } else {
    quota = number_in(folder + "/cpu.cfs_quota_us");
    period = number_in(folder + "/cpu.cfs_period_us");
  }
  if (!quota || !period) return kUnlimited;
  return *quota / *period + (*quota % *period == 0 ? 0 : 1);
}

std::size_t memory_in(const std::string& folder) {
  return std::min<std::size_t>(number_in(folder + "/memory.max").value_or(kUnlimited),
                               number_in(folder + "/memory.limit_in_bytes").value_or(kUnlimited));
}

/// The number in a line "name number" of memory.stat; 0 if there is none.
std::uint64_t statistic_in(const std::string& path, const std::string& wanted) {
  std::ifstream file(path);
  std::string name, value;
  while (file >> name >> value) {
    if (name == wanted) return number(value).value_or(0);
  }
  return 0;
}

std::size_t memory_left_in(const std::string& folder) {
  const bool second = number_in(folder + "/memory.max").has_value();
  const std::size_t limit = memory_in(folder);
  if (limit == kUnlimited) return kUnlimited;
  const std::uint64_t used =
      number_in(folder + (second ? "/memory.current" : "/memory.usage_in_bytes")).value_or(0);
  const std::uint64_t cached =
      statistic_in(folder + "/memory.stat", second ? "inactive_file" : "total_inactive_file");
  const std::uint64_t held = used - std::min(used, cached);
  return limit - std::min<std::uint64_t>(limit, held);
}

}  // namespace

std::size_t control_group_memory_left(const std::string& root) {
  return std::ranges::min(folders_of("memory", root) | std::views::transform(memory_left_in));
}

std::size_t control_group_memory(const std::string& root) {
  return std::ranges::min(folders_of("memory", root) | std::views::transform(memory_in));
}

std::size_t control_group_processors(const std::string& root) {
  return std::ranges::min(folders_of("cpu", root) | std::views::transform(processors_in));
}

namespace {

constexpr std::size_t kMostSets = 1024;  // of 1024 processors each

/// The mask must be as long as the kernel's, whose length is unknown: EINVAL means too short.
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

// Free and used memory, for refusing a fit that is too large.

namespace {

constexpr std::size_t kAlwaysThere = std::size_t{16} << 20U;

/// The kernel's estimate of the memory available to new programs without swapping.
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

/// What `ulimit -v` leaves, in bytes.
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
