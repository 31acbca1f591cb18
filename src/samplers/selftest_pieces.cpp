// SPDX-License-Identifier: Apache-2.0
#include "samplers/selftest_pieces.hpp"

#include <chrono>
#include <mutex>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "medley/error.hpp"

namespace medley::samplers {

bool run_pieces(std::size_t count, std::size_t threads, const std::string& stage,
                const Hooks& hooks, const std::function<void(std::size_t)>& piece) {
  const auto begun = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::size_t done = 0;
  const auto one = [&](std::size_t number, std::size_t /*worker*/) {
    piece(number);
    const std::scoped_lock lock(mutex);
    if (!hooks.progress) return;
    Progress p;
    p.stage = stage;
    p.restart = done++;
    p.restarts = count;
    p.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    p.seconds_left = p.seconds / static_cast<double>(done) * static_cast<double>(count - done);
    hooks.progress(p);
  };
  const core::Task task(hooks.stop);
  try {
    core::parallel_for(count, threads, one);
  } catch (const Interrupted&) {
    return false;
  }
  return true;
}

}  // namespace medley::samplers
