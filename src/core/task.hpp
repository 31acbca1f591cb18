// SPDX-License-Identifier: Apache-2.0
// The current task: the hooks (medley/error.hpp) of the public function that was called, and of the
// calls around it. They apply on the calling thread and, through parallel_for, on the threads that
// work for it, so the code in between need not pass them on.
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
  /// The hooks apply until this object is destroyed, and must live as long. Without a progress
  /// callback of its own, progress goes to the enclosing task. Throws Interrupted if the stop flag
  /// is already set.
  explicit Task(const Hooks& hooks);
  /// Stops with the flag (may be null) and with the enclosing task; reports no progress.
  explicit Task(const std::atomic<bool>* stop);
  ~Task();
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  /// The current task of this thread, or null.
  [[nodiscard]] static const Task* current();
  [[nodiscard]] bool stopped() const;
  /// Whether there is a stop flag.
  [[nodiscard]] bool stoppable() const;
  /// The innermost enclosing task that gets progress, or null.
  [[nodiscard]] static const Task* told();

 private:
  friend class Stage;
  friend void advance(std::size_t rows);
  const Task* const outer_;
  const std::atomic<bool>* const stop_;
  const Hooks* const hooks_;                    // null: no progress reports
  mutable std::atomic<Stage*> stage_{nullptr};  // the stage that reports
  mutable std::mutex telling_;
};

/// Whether the current task can be stopped at all; if not, no state need be kept for restoring.
[[nodiscard]] bool may_be_stopped();
/// Whether the current task was asked to stop.
[[nodiscard]] bool asked_to_stop();
/// Throws Interrupted if so. It takes about a nanosecond: call it per row, not per cell.
void stop_if_asked();

/// Makes a task that began on another thread current on this thread; null: no task, so that nothing
/// stops.
class InTask {
 public:
  explicit InTask(const Task* task);
  ~InTask();
  InTask(const InTask&) = delete;
  InTask& operator=(const InTask&) = delete;

 private:
  const Task* const before_;
};

/// While this object exists nothing stops: for short work that must not be left half done.
class Unstoppable : InTask {
 public:
  Unstoppable() : InTask(nullptr) {}
};

/// Work that goes through rows and reports its progress. A stage within a stage does not report.
class Stage {
 public:
  /// `rows` may be 0: unknown. Reports at once.
  explicit Stage(const char* name, std::size_t rows = 0);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// Adds finished rows; may be called by any thread. Reports ten times a second.
  void add(std::size_t rows);

 private:
  void tell(double seconds) const;

  const char* name_;
  std::size_t rows_;
  const Task* task_ = nullptr;  // the task that gets the reports; null: none
  std::chrono::steady_clock::time_point begun_;
  std::atomic<std::size_t> done_{0};
  std::atomic<double> told_{0};  // of the last report, in seconds after begun_
};

/// Adds finished rows to the current stage, if there is one: for code whose caller has opened the
/// stage.
void advance(std::size_t rows);

}  // namespace medley::core
