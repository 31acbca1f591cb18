// SPDX-License-Identifier: Apache-2.0
// What the work at hand answers to: the hooks (medley/error.hpp) of the public function that was
// called, and of those around it. They are in force on the thread that called and, through
// parallel_for, on those that work for it, so that nothing in between hands them on.
//
//   Dataset read(..., const Hooks& hooks) {
//     const core::Task task(hooks);
//     core::Stage stage("reading");
//     ...
//       core::stop_if_asked();  // here, and before every chunk of parallel_for
//       stage.add(1);
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>

#include "medley/error.hpp"

namespace medley::core {

class Stage;

class Task {
 public:
  /// In force until it is gone; the hooks must last as long. Without progress of its own what is
  /// told goes to the task around it. Throws Interrupted where the flag is set already.
  explicit Task(const Hooks& hooks);
  /// Stops with the flag (may be null) and with the task around it; says nothing of its stages.
  explicit Task(const std::atomic<bool>* stop);
  ~Task();
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  /// The one in force on this thread; null: none.
  [[nodiscard]] static const Task* current();
  [[nodiscard]] bool stopped() const;
  /// Whether there is a flag.
  [[nodiscard]] bool stoppable() const;
  /// The nearest that is told of stages; null: none.
  [[nodiscard]] static const Task* told();

 private:
  friend class Stage;
  friend void advance(std::size_t rows);
  const Task* const outer_;
  const std::atomic<bool>* const stop_;
  const Hooks* const hooks_;                    // null: says nothing
  mutable std::atomic<Stage*> stage_{nullptr};  // that is told
  mutable std::mutex telling_;
};

/// Whether anybody could ask for that: else there is no need to keep what could be put back.
[[nodiscard]] bool may_be_stopped();
/// Whether the work at hand is to stop.
[[nodiscard]] bool asked_to_stop();
/// Throws Interrupted if so. Takes about a nanosecond: for loops over rows, not over cells.
void stop_if_asked();

/// Puts a task in force that began on another thread; null: none, so that nothing stops.
class InTask {
 public:
  explicit InTask(const Task* task);
  ~InTask();
  InTask(const InTask&) = delete;
  InTask& operator=(const InTask&) = delete;

 private:
  const Task* const before_;
};

/// While it lives nothing stops: for short work that must not be left half done.
class Unstoppable : InTask {
 public:
  Unstoppable() : InTask(nullptr) {}
};

/// Work that goes through rows, and tells how far it has come. A stage within a stage is silent.
class Stage {
 public:
  /// `rows` may be 0: not known. Is told at once.
  explicit Stage(const char* name, std::size_t rows = 0);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// So many rows more are done; by any thread. Is told ten times a second.
  void add(std::size_t rows);

 private:
  void tell(double seconds) const;

  const char* name_;
  std::size_t rows_;
  const Task* task_ = nullptr;  // that is told; null: none
  std::chrono::steady_clock::time_point begun_;
  std::atomic<std::size_t> done_{0};
  std::atomic<double> told_{0};  // seconds since then
};

/// So many rows more of the stage in force, if there is one, are done: for code that others have
/// opened a stage for.
void advance(std::size_t rows);

}  // namespace medley::core
