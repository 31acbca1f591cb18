// SPDX-License-Identifier: Apache-2.0
// The lattice of count vectors: layer o holds every vector n of K counts with sum o, in
// lexicographic order. With the membership integrated out, the assignments of a row's observations
// to components matter only through their counts, so exact sums over all K^m assignments become
// sums over the C(m + K, K) nodes of this lattice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace medley::math {

class CountLattice {
 public:
  /// Layers 0 .. depth. Memory: 6 K bytes for each of nodes(components, depth).
  CountLattice(std::size_t components, std::size_t depth);

  [[nodiscard]] std::size_t components() const { return components_; }
  [[nodiscard]] std::size_t depth() const { return layers_.size() - 1; }
  [[nodiscard]] std::size_t size(std::size_t layer) const {
    return layers_[layer].counts.size() / components_;
  }
  /// size(layer) x K: the count vectors.
  [[nodiscard]] std::span<const std::uint16_t> counts(std::size_t layer) const {
    return layers_[layer].counts;
  }
  /// size(layer) x K: the index of n + e_k in layer + 1. Not for the last layer.
  [[nodiscard]] std::span<const std::uint32_t> next(std::size_t layer) const {
    return layers_[layer].next;
  }
  /// Number of nodes of layers 0 .. depth, C(depth + K, K); a double, because it may be huge.
  [[nodiscard]] static double nodes(std::size_t components, std::size_t depth);

 private:
  struct Layer {
    std::vector<std::uint16_t> counts;
    std::vector<std::uint32_t> next;
  };
  std::size_t components_;
  std::vector<Layer> layers_;
};

}  // namespace medley::math
