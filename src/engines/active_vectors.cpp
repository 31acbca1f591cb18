// SPDX-License-Identifier: Apache-2.0
#include "engines/active_vectors.hpp"

#include "kernels/lanes.hpp"

namespace medley::engines {

bool ActiveVectors::take(const core::AlignedVector<double>& vectors, std::size_t components) {
  constexpr double kLeast = 1e-20;
  constexpr std::size_t kShare = 4;  // at most one entry in so many
  const std::size_t padded = kernels::padded(components);
  const std::size_t most = vectors.size() / padded * components / kShare;
  start_.assign(1, 0);
  component_.clear();
  value_.clear();
  for (const double* row = vectors.data(); row < vectors.data() + vectors.size(); row += padded) {
    for (std::size_t k = 0; k < components; ++k) {
      if (row[k] < kLeast) continue;
      component_.push_back(static_cast<std::uint32_t>(k));
      value_.push_back(row[k]);
    }
    if (value_.size() > most) return false;
    start_.push_back(value_.size());
  }
  view_ = {start_.data(), component_.data(), value_.data()};
  return true;
}

}  // namespace medley::engines
