// SPDX-License-Identifier: Apache-2.0
#include "data/append_cells.hpp"

#include <vector>

namespace medley::data {
namespace {

// Weights and values may be absent: they then are so in both blocks.
template <class T>
void append(const std::vector<T>& from, std::uint64_t begin, std::uint64_t end,
            std::vector<T>& to) {
  if (from.empty()) return;
  to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
            from.begin() + static_cast<std::ptrdiff_t>(end));
}

}  // namespace

void append_cells(const Block& from, std::uint64_t begin, std::uint64_t end, Block& to) {
  append(from.slot, begin, end, to.slot);
  append(from.weight, begin, end, to.weight);
  append(from.value, begin, end, to.value);
}

}  // namespace medley::data
