// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

#include "core/machine.hpp"
#include "core/task.hpp"
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

namespace {

constexpr std::size_t kMostThreads = 1024;  // of the pool, whatever is asked for

/// A call of share_work, on the stack of the calling thread.
struct Region {
  Region(std::size_t threads, const std::function<void(std::size_t)>& what)
      : work(what), places(threads - 1) {
    std::fegetenv(&arithmetic);
  }
  const std::function<void(std::size_t worker)>& work;
  std::fenv_t arithmetic{};  // rounding, denormals
  // The pool uses the rest under its lock.
  std::size_t places;       // for threads that may still begin
  std::size_t begun = 0;    // threads, besides the one that called
  std::size_t at_work = 0;  // of these
  Region* next = nullptr;   // of those that are open
  std::condition_variable nobody_at_work;
};

/// All signals except those that a thread causes itself, and those of profilers and limits.
sigset_t signals_for_others() {
  sigset_t out;
  sigfillset(&out);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE, SIGXFSZ,
                        SIGXCPU, SIGPROF})
    sigdelset(&out, own);
  return out;
}

class Pool {
 public:
  explicit Pool(const Pool* of_parent) : parents(of_parent) {}

  /// The pool of the process that this one was forked from. Its threads do not exist here, and one
  /// of them may hold its lock, so it is never touched again; the pointer satisfies leak checkers.
  const Pool* const parents;

  void run(Region& region) {
    std::unique_lock lock(lock_);
    open(region);
    most_ = std::max(most_, std::min(region.places, kMostThreads));
    const std::size_t missing =
        std::min(places_ - std::min(free_, places_), most_ - std::min(size_, most_));
    const bool wake = free_ > 0;
    size_ += missing;
    free_ += missing;
    lock.unlock();
    if (wake) some_open_.notify_one();
    grow(missing);

    region.work(0);

    lock.lock();
    close(region);
    region.nobody_at_work.wait(lock, [&] { return region.at_work == 0; });
  }

 private:
  void open(Region& region) {
    Region** last = &open_;
    while (*last != nullptr) last = &(*last)->next;
    *last = &region;
    places_ += region.places;
  }

  void close(Region& region) {
    places_ -= region.places;
    region.places = 0;
    for (Region** at = &open_; *at != nullptr; at = &(*at)->next) {
      if (*at != &region) continue;
      *at = region.next;
      return;
    }
  }

  /// The main loop of a thread.
  [[noreturn]] void serve() {
    std::unique_lock lock(lock_);
    for (;;) {
      some_open_.wait(lock, [&] { return open_ != nullptr; });
      // The oldest region: of nested regions the outer one, which has larger pieces of work.
      Region& region = *open_;
      const std::size_t worker = ++region.begun;
      ++region.at_work;
      --region.places;
      --places_;
      --free_;
      if (region.places == 0) close(region);
      const bool wake = open_ != nullptr && free_ > 0;
      lock.unlock();
      if (wake) some_open_.notify_one();
      std::fesetenv(&region.arithmetic);
      region.work(worker);
      lock.lock();
      ++free_;
      close(region);
      // Under the lock, because the region may be destroyed as soon as its caller has seen this.
      if (--region.at_work == 0) region.nobody_at_work.notify_one();
    }
  }

  /// Creates threads that size_ and free_ already count, as far as the system allows.
  void grow(std::size_t count) {
    while (count > 0 && start_thread()) --count;
    if (count == 0) return;
    const std::scoped_lock lock(lock_);
    size_ -= count;
    free_ -= count;
  }

  /// Whether a thread was created. It inherits the signal mask of its creator.
  bool start_thread() {
    pthread_attr_t detached;
    if (::pthread_attr_init(&detached) != 0) return false;
    ::pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    const sigset_t elsewhere = signals_for_others();
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, &elsewhere, &before);
    pthread_t thread{};
    const auto life = [](void* pool) -> void* { static_cast<Pool*>(pool)->serve(); };
    const bool made = ::pthread_create(&thread, &detached, life, this) == 0;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::pthread_attr_destroy(&detached);
    return made;
  }

  std::mutex lock_;
  std::condition_variable some_open_;
  Region* open_ = nullptr;  // that have places; oldest first
  std::size_t places_ = 0;  // of the open ones
  std::size_t size_ = 0;    // threads
  std::size_t free_ = 0;    // threads not at work
  // The number of threads requested at once, and at least one for each processor but the caller's:
  // nested and concurrent regions get no more than that together.
  std::size_t most_ = std::min(processors() - 1, kMostThreads);
};

// Never destroyed: its threads use it until the process ends, whichever thread calls exit().
std::atomic<Pool*> current_pool{nullptr};
std::atomic<const Pool*> left_in_parent{nullptr};

void begin_anew_in_child() {
  if (const Pool* parents = current_pool.exchange(nullptr)) left_in_parent = parents;
}

[[maybe_unused]] const int fork_is_watched =
    ::pthread_atfork(nullptr, nullptr, begin_anew_in_child);

// No lock or initialisation guard here: a fork could leave it locked in the child.
Pool& pool() {
  Pool* found = current_pool.load();
  if (found == nullptr) {
    auto made = std::make_unique<Pool>(left_in_parent);
    if (current_pool.compare_exchange_strong(found, made.get())) found = made.release();
  }
  return *found;
}

}  // namespace

void share_work(std::size_t threads, const std::function<void(std::size_t worker)>& work) {
  if (threads <= 1) return work(0);
  Region region(threads, work);
  pool().run(region);
}

}  // namespace medley::core
