// SPDX-License-Identifier: Apache-2.0
// The best of many starts of single membership. Its fits end in optima that differ by percents
// (mushroom, K = 5: -105,172 to -120,126 among fifty k-means starts), and a few iterations on some
// of the rows tell most of the bad ones.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "engines/engine.hpp"
#include "engines/starts.hpp"

namespace medley::engines {

struct Multistart {
  std::vector<core::TensorFile> parameters;  ///< of the starts that are kept, the best first
  std::vector<std::size_t> number;           ///< of each, from 0
  std::size_t tried = 0;
  bool interrupted = false;  ///< then there may be none
};

/// Short fits of the single-membership `model` from at most `wanted.tried` starts, fewer if the
/// best of them agree, on some 500 to 2,000 of the rows. Start t has the seed {seed.seed,
/// seed.restart * tried + t}; `memberships` makes one for the rows of the engine. Interrupted, it
/// returns the best so far.
[[nodiscard]] Multistart multistart(
    const EmData& rows, EmModel model, StartsWanted wanted, StartSeed seed,
    const std::function<std::vector<double>(Engine&, StartSeed)>& memberships);

/// Into a checkpoint, and back.
void save_starts(const Multistart& starts, core::TensorFile& file);
[[nodiscard]] Multistart read_starts(const core::TensorFile& file);

}  // namespace medley::engines
