// SPDX-License-Identifier: Apache-2.0
// Threads: one parallel_for over fixed chunks. What a chunk is never depends on the number of
// threads, and callers merge chunk results in chunk order, so results have the same bits at any
// thread count. The threads are those of core/parallel.hpp.
#pragma once

#include <cstddef>
#include <functional>

namespace medley::core {

/// The number of threads to use: `wanted`, or if it is 0 one for each processor that affinity and
/// container leave to us (core/machine.hpp).
[[nodiscard]] std::size_t thread_count(std::size_t wanted);

/// Calls body(chunk, worker) for chunk = 0 .. chunks-1, in any order, on up to `threads` threads;
/// worker < threads tells which, for scratch memory: no two chunks have the same one at once.
/// Chunks do not wait for each other, as they may all be done by one thread. May be called from a
/// body and from several threads. Rethrows the exception of the lowest chunk. When the task in
/// force (core/task.hpp) is stopped no chunk begins any more, and Interrupted is thrown unless a
/// chunk failed; the task is in force in the chunks too.
void parallel_for(std::size_t chunks, std::size_t threads,
                  const std::function<void(std::size_t chunk, std::size_t worker)>& body);

// The threads that all parallel work of the process shares. They are made when they are first asked
// for, sleep while there is nothing to do, and last until the process ends.
//
// Whoever has work always takes part in it, and then waits only for threads that are already at
// work on it: work gets done when no other thread is free or can be made, from within other work,
// from many threads at once. A thread that waits is given no other work, since it may hold locks
// which that work needs. After a fork the child has a pool of its own.

/// Calls work(0) on this thread and work(1), work(2) ... up to work(threads - 1) on threads of the
/// pool, as far as any are free before the first call ends; returns when all have ended. `work`
/// does not throw, and returns when nothing is left to be done, for nobody begins after that.
/// Rounding and the like are as in this thread. SIGINT and its kind go to other threads.
void share_work(std::size_t threads, const std::function<void(std::size_t worker)>& work);

}  // namespace medley::core
