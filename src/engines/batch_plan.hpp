// SPDX-License-Identifier: Apache-2.0
// Which rows make up which minibatch. A pass over D rows is cut into B = round(D / batch)
// minibatches of nearly equal size (a small remainder, scaled up to D rows, would do damage). Rows
// are shuffled in blocks of a sixty-fourth of a minibatch, at most 64 rows, in another order in
// every pass: little enough for a minibatch to be a fair sample even of sorted rows, enough for a
// file to be read in runs. Nothing is stored: any minibatch can be had from the seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "medley/io.hpp"

namespace medley::engines {

class BatchPlan {
 public:
  BatchPlan(std::size_t rows, std::size_t batch, std::uint64_t seed);

  /// B, at least 1.
  [[nodiscard]] std::size_t steps() const { return steps_; }
  /// The rows of minibatch `step` of pass `pass` (both from 0), ascending.
  [[nodiscard]] std::vector<RowRange> ranges(std::size_t pass, std::size_t step) const;

 private:
  std::size_t rows_, block_, blocks_, steps_;
  std::uint64_t seed_;
};

/// About `count` rows spread at random over all, ascending; all if there are no more.
[[nodiscard]] std::vector<RowRange> spread_sample(std::size_t rows, std::size_t count,
                                                  std::uint64_t seed);

}  // namespace medley::engines
