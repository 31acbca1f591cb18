// SPDX-License-Identifier: Apache-2.0
// Threads: one parallel_for over fixed chunks. The chunks do not depend on the number of threads,
// and callers merge their results in chunk order, so results have the same bits at any number of
// threads.
#pragma once

#include <cstddef>
#include <functional>

namespace medley::core {

/// The number of threads to use: `wanted`, or if that is 0 one for each processor that affinity and
/// container allow (core/machine.hpp).
[[nodiscard]] std::size_t thread_count(std::size_t wanted);

/// Calls body(chunk, worker) for chunk = 0 .. chunks-1, in any order, on up to `threads` threads.
/// worker < threads selects scratch memory: no two chunks that run at once have the same worker.
/// Chunks must not wait for each other, because one thread may run them all. May be called from a
/// body and from several threads. Rethrows the exception of the lowest chunk. If the current task
/// (core/task.hpp) is stopped, no further chunk begins, and Interrupted is thrown unless a chunk
/// failed. The chunks run under the same task.
void parallel_for(std::size_t chunks, std::size_t threads,
                  const std::function<void(std::size_t chunk, std::size_t worker)>& body);

// The thread pool of the process. Its threads are created on first use, sleep while idle, and last
// until the process ends.
//
// The caller always takes part in its own work, and then waits only for threads that have already
// begun on it. So work completes even if no other thread is free or can be created, from within
// other work, and from many threads at once. A waiting thread gets no other work, because it may
// hold locks that such work needs. After a fork the child has a pool of its own.

/// Calls work(0) on this thread and work(1), work(2) ... up to work(threads - 1) on threads of the
/// pool, as far as any become free before the first call ends; returns when all have ended. `work`
/// must not throw, and must return only when nothing is left to do, because no thread begins after
/// that. The pool's threads use this thread's floating-point environment (rounding). They block
/// SIGINT and similar signals.
void share_work(std::size_t threads, const std::function<void(std::size_t worker)>& work);

}  // namespace medley::core
