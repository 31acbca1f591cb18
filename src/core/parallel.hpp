// SPDX-License-Identifier: Apache-2.0
// Threads: one parallel_for over fixed chunks. What a chunk is never depends on the number of
// threads, and callers merge chunk results in chunk order, so results have the same bits at any
// thread count. The threads are those of core/thread_pool.hpp.
#pragma once

#include <cstddef>
#include <functional>

namespace medley::core {

/// The number of threads to use: `wanted`, or if it is 0 one for each processor that affinity and
/// container leave to us (core/processors.hpp).
[[nodiscard]] std::size_t thread_count(std::size_t wanted);

/// Calls body(chunk, worker) for chunk = 0 .. chunks-1, in any order, on up to `threads` threads;
/// worker < threads tells which, for scratch memory: no two chunks have the same one at once.
/// Chunks do not wait for each other, as they may all be done by one thread. May be called from a
/// body and from several threads. Rethrows the exception of the lowest chunk. When the task in
/// force (core/task.hpp) is stopped no chunk begins any more, and Interrupted is thrown unless a
/// chunk failed; the task is in force in the chunks too.
void parallel_for(std::size_t chunks, std::size_t threads,
                  const std::function<void(std::size_t chunk, std::size_t worker)>& body);

}  // namespace medley::core
