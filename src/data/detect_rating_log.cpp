// SPDX-License-Identifier: Apache-2.0
#include "data/detect_rating_log.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace medley::data {

bool is_rating_log(const RawTable& table) {
  if (table.columns.size() != 3) return false;
  const RawColumn& rows = table.columns[0];
  const RawColumn& items = table.columns[1];
  // Two ordinary columns met this often would agree in some of their pairs by chance.
  constexpr std::size_t kFewestNames = 10, kUses = 5;
  const std::size_t names = std::max(rows.distinct.size(), items.distinct.size());
  const std::size_t fewest = std::min(rows.distinct.size(), items.distinct.size());
  if (fewest < kFewestNames || table.line.size() < kUses * names) return false;
  std::vector<std::uint64_t> pairs;
  pairs.reserve(table.line.size());
  for (std::size_t i = 0; i < table.line.size(); ++i) {
    if (rows.code[i] == kMissingCode || items.code[i] == kMissingCode) return false;
    pairs.push_back(std::uint64_t{rows.code[i]} << 32U | items.code[i]);
  }
  std::sort(pairs.begin(), pairs.end());
  return std::adjacent_find(pairs.begin(), pairs.end()) == pairs.end();
}

}  // namespace medley::data
