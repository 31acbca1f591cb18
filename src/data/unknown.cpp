// SPDX-License-Identifier: Apache-2.0
#include "data/unknown.hpp"

#include <algorithm>

namespace medley::data {

void add_unknown(const std::string& block, std::vector<std::pair<std::string, double>> counts,
                 std::vector<Unknown>& to) {
  std::erase_if(counts, [](const auto& entry) { return !(entry.second > 0); });
  std::ranges::sort(counts, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (counts.size() > kNamedUnknown) counts.resize(kNamedUnknown);
  for (auto& [name, count] : counts) to.push_back({block, std::move(name), count});
}

}  // namespace medley::data
