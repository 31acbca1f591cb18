// SPDX-License-Identifier: Apache-2.0
// The independent pieces of a test, chains or fits, done side by side, with progress on the way and
// a way to stop. What a piece draws depends on its number alone.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "medley/options.hpp"

namespace medley::samplers {

/// Calls piece(number) for 0 .. count-1, on up to `threads` threads. False: the hooks stopped it,
/// and pieces are missing.
[[nodiscard]] bool run_pieces(std::size_t count, std::size_t threads, const std::string& stage,
                              const Hooks& hooks, const std::function<void(std::size_t)>& piece);

}  // namespace medley::samplers
