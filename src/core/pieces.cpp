// SPDX-License-Identifier: Apache-2.0
#include "core/pieces.hpp"

#include <chrono>
#include <mutex>

#include "core/parallel.hpp"

namespace medley::core {

void run_pieces(const Pieces& pieces, const Hooks& hooks,
                const std::function<void(std::size_t)>& piece) {
  const auto begun = std::chrono::steady_clock::now();
  std::mutex telling;
  std::size_t done = 0;
  parallel_for(pieces.count, pieces.threads, [&](std::size_t number, std::size_t /*worker*/) {
    piece(number);
    if (!hooks.progress) return;
    const std::scoped_lock lock(telling);
    Progress p;
    p.stage = pieces.stage;
    p.restart = done++;
    p.restarts = pieces.count;
    p.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    p.seconds_left =
        p.seconds / static_cast<double>(done) * static_cast<double>(pieces.count - done);
    p.rows_seen = done * pieces.rows;
    hooks.progress(p);
  });
}

}  // namespace medley::core
