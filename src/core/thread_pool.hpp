// SPDX-License-Identifier: Apache-2.0
// The threads that all parallel work of the process shares. They are made when they are first asked
// for, sleep while there is nothing to do, and last until the process ends.
//
// Whoever has work always takes part in it, and then waits only for threads that are already at
// work on it: work gets done when no other thread is free or can be made, from within other work,
// from many threads at once. A thread that waits is given no other work, since it may hold locks
// which that work needs. After a fork the child has a pool of its own.
#pragma once

#include <cstddef>
#include <functional>

namespace medley::core {

/// Calls work(0) on this thread and work(1), work(2) ... up to work(threads - 1) on threads of the
/// pool, as far as any are free before the first call ends; returns when all have ended. `work`
/// does not throw, and returns when nothing is left to be done, for nobody begins after that.
/// Rounding and the like are as in this thread. SIGINT and its kind go to other threads.
void share_work(std::size_t threads, const std::function<void(std::size_t worker)>& work);

}  // namespace medley::core
