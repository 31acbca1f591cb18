// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>

#include "core/processors.hpp"
#include "core/task.hpp"
#include "core/thread_pool.hpp"
#include "medley/error.hpp"

namespace medley::core {

std::size_t thread_count(std::size_t wanted) {
  return wanted > 0 ? wanted : processors();
}

void parallel_for(std::size_t chunks, std::size_t threads,
                  const std::function<void(std::size_t chunk, std::size_t worker)>& body) {
  threads = std::min(threads, chunks);
  if (threads <= 1) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      stop_if_asked();
      body(chunk, 0);
    }
    return;
  }
  const Task* const task = Task::current();
  std::atomic<std::size_t> next{0};
  std::atomic<bool> interrupted{false};
  std::mutex failure_lock;
  std::exception_ptr failure;
  std::size_t failed_chunk = chunks;
  const auto work = [&](std::size_t worker) {
    const InTask in_task(task);
    for (std::size_t chunk = next++; chunk < chunks && !interrupted; chunk = next++) {
      try {
        stop_if_asked();
        body(chunk, worker);
      } catch (const Interrupted&) {
        interrupted = true;
      } catch (...) {
        const std::scoped_lock lock(failure_lock);
        if (chunk < failed_chunk) {
          failed_chunk = chunk;
          failure = std::current_exception();
        }
      }
    }
  };
  share_work(threads, std::ref(work));
  if (failure) std::rethrow_exception(failure);
  if (interrupted) throw Interrupted();
}

}  // namespace medley::core
