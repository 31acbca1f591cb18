// SPDX-License-Identifier: Apache-2.0
// Every way to put n rows into clusters, as labels in order of first appearance: 52 for 5 rows, 203
// for 6, 4140 for 8.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace medley::test {

inline std::vector<std::vector<std::uint32_t>> all_partitions(std::size_t n) {
  std::vector<std::vector<std::uint32_t>> all = {{}};
  for (std::size_t row = 0; row < n; ++row) {
    std::vector<std::vector<std::uint32_t>> longer;
    for (const auto& labels : all) {
      const std::uint32_t used =
          labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end()) + 1;
      for (std::uint32_t label = 0; label <= used; ++label) {
        longer.push_back(labels);
        longer.back().push_back(label);
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace medley::test
