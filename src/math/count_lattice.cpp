// SPDX-License-Identifier: Apache-2.0
#include "math/count_lattice.hpp"

#include <cassert>

namespace medley::math {
namespace {

// C(n, k) for n < rows, k < columns; small enough to be exact wherever the lattice fits memory.
class Binomials {
 public:
  Binomials(std::size_t rows, std::size_t columns) : columns_(columns), value_(rows * columns, 0) {
    for (std::size_t n = 0; n < rows; ++n) {
      value_[n * columns] = 1;
      for (std::size_t k = 1; k < columns && n > 0; ++k) {
        value_[n * columns + k] = value_[(n - 1) * columns + k - 1] + value_[(n - 1) * columns + k];
      }
    }
  }
  [[nodiscard]] std::uint64_t operator()(std::size_t n, std::size_t k) const {
    return value_[n * columns_ + k];
  }

 private:
  std::size_t columns_;
  std::vector<std::uint64_t> value_;
};

// The number of vectors with the same sum before n: for every entry j, those equal to n before j
// and smaller at j; their number telescopes to a difference of two binomials.
std::uint32_t rank_of(std::span<const std::uint16_t> n, std::size_t sum, const Binomials& choose) {
  std::uint64_t rank = 0;
  std::size_t rest = sum;
  for (std::size_t j = 0; j + 1 < n.size(); ++j) {
    const std::size_t free = n.size() - j - 1;  // entries after j
    rank += choose(rest + free, free) - choose(rest - n[j] + free, free);
    rest -= n[j];
  }
  return static_cast<std::uint32_t>(rank);
}

// Steps to the next vector of the same sum in lexicographic order; false after the last.
bool advance(std::vector<std::uint16_t>& n) {
  std::size_t last = n.size() - 1;
  if (n.size() < 2) return false;
  while (last > 0 && n[last] == 0) --last;
  if (last == 0) return false;
  const std::uint16_t moved = n[last];
  n[last] = 0;
  ++n[last - 1];
  n.back() = static_cast<std::uint16_t>(moved - 1);
  return true;
}

}  // namespace

CountLattice::CountLattice(std::size_t components, std::size_t depth)
    : components_(components), layers_(depth + 1) {
  assert(components > 0);
  const Binomials choose(depth + components + 2, components + 1);
  std::vector<std::uint16_t> n(components);
  for (std::size_t o = 0; o <= depth; ++o) {
    n.assign(components, 0);
    n.back() = static_cast<std::uint16_t>(o);
    Layer& layer = layers_[o];
    do {
      layer.counts.insert(layer.counts.end(), n.begin(), n.end());
      for (std::size_t k = 0; k < components && o < depth; ++k) {
        ++n[k];
        layer.next.push_back(rank_of(n, o + 1, choose));
        --n[k];
      }
    } while (advance(n));
  }
}

double CountLattice::nodes(std::size_t components, std::size_t depth) {
  double count = 1;
  for (std::size_t k = 1; k <= components; ++k) {
    count *= static_cast<double>(depth + k) / static_cast<double>(k);
  }
  return count;
}

}  // namespace medley::math
