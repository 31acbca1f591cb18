// SPDX-License-Identifier: Apache-2.0
// Independent pieces of work, done side by side: chains, refits to resampled rows, fits of a test.
// What a piece gives depends on its number alone.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "medley/error.hpp"

namespace medley::core {

struct Pieces {
  std::string stage;  ///< as progress calls them
  std::size_t count = 0;
  std::size_t threads = 1;
  std::size_t rows = 0;  ///< that each goes through; 0: not told
};

/// Calls piece(number) for 0 .. count-1 on up to so many threads, and tells the hooks after each.
/// Throws Interrupted where the task in force is stopped; pieces that were begun are then done or
/// have thrown it themselves.
void run_pieces(const Pieces& pieces, const Hooks& hooks,
                const std::function<void(std::size_t)>& piece);

}  // namespace medley::core
