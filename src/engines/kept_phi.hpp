// SPDX-License-Identifier: Apache-2.0
// The responsibilities of the cells in collapsed inference, cells x padded K: in float, or in half
// precision where there are so many that a sweep would spend its time fetching them. They decide
// only what an observation takes out of the counts before it is dealt out anew, and the counts, in
// float, are their sums either way.
#pragma once

#include <cstddef>
#include <vector>

#include "core/aligned.hpp"
#include "kernels/collapsed.hpp"

namespace medley::engines {

class KeptPhi {
 public:
  /// More numbers than this are kept in half precision.
  static constexpr std::size_t kHalfFrom = 8'000'000;

  /// All 0.
  void resize(std::size_t cells, std::size_t padded, std::size_t half_from);
  void clear();
  [[nodiscard]] bool empty() const { return cells_ == 0; }
  [[nodiscard]] bool half() const { return !half_.empty(); }

  void put(std::size_t cell, const float* phi);
  void get(std::size_t cell, float* phi) const;
  /// As the kernel wants those from `cell` on.
  void show(std::size_t cell, kernels::CollapsedCells& to);

  [[nodiscard]] std::vector<float> all() const;
  /// As they are kept, for a file: two of half precision in the room of a float.
  [[nodiscard]] std::vector<float> packed() const;
  [[nodiscard]] std::size_t packed_size() const;
  void restore_packed(const std::vector<float>& values);
  /// Sizes must be alike; exact for what all() gave.
  void restore(const std::vector<float>& values);

 private:
  std::size_t cells_ = 0, padded_ = 0;
  core::AlignedVector<float> float_;
  core::AlignedVector<kernels::Half> half_;
};

}  // namespace medley::engines
