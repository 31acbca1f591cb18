// SPDX-License-Identifier: Apache-2.0
// What rows' vectors of responsibilities hold, where they hold little: pooled rows are mostly all
// but certain of their component, and statistics then need not go over all K
// (kernels/active_sums.hpp). Entries below 1e-20 are left out: together they are less than rounding
// takes away from the others, which sum to 1. What EM climbs falls by their divergence at most, as
// responsibilities that are off by a little still give a bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/aligned.hpp"
#include "kernels/active_sums.hpp"

namespace medley::engines {

class ActiveVectors {
 public:
  /// Of vectors (rows x padded K) with `components` entries each. False, and nothing is held, if
  /// more than a quarter of the entries are active: going over all of them is then quicker.
  [[nodiscard]] bool take(const core::AlignedVector<double>& vectors, std::size_t components);
  /// What was taken; valid until the next time.
  [[nodiscard]] const kernels::ActiveVectors* get() const { return &view_; }

 private:
  std::vector<std::size_t> start_;        // rows + 1
  std::vector<std::uint32_t> component_;  // per active entry
  std::vector<double> value_;
  kernels::ActiveVectors view_;
};

}  // namespace medley::engines
