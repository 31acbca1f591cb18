// SPDX-License-Identifier: Apache-2.0
#include "long_call.hpp"

#include <chrono>
#include <list>
#include <thread>

#include "bind.hpp"

namespace medley::python {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kLook{50};       // for Ctrl-C
constexpr milliseconds kPatience{250};  // for work that was asked to stop
constexpr milliseconds kFarewell{3000};

/// Work that was asked to stop and whose caller has gone.
struct LeftWork {
  std::thread thread;
  std::shared_ptr<CallState> state;
};
std::mutex left_mutex;
std::list<LeftWork>& left_work() {
  static auto* all = new std::list<LeftWork>();  // outlives every thread
  return *all;
}

bool wait_until_done(CallState& state, milliseconds time) {
  std::unique_lock lock(state.mutex);
  return state.changed.wait_for(lock, time, [&] { return state.done; });
}

/// Threads that have ended since.
void tidy() {
  const std::lock_guard lock(left_mutex);
  for (auto it = left_work().begin(); it != left_work().end();) {
    if (wait_until_done(*it->state, milliseconds(0))) {
      it->thread.join();
      it = left_work().erase(it);
    } else {
      ++it;
    }
  }
}

nb::dict step_dict(const Progress& step) {
  nb::dict out;
  out["stage"] = step.stage;
  out["restart"] = step.restart;
  out["restarts"] = step.restarts;
  out["iteration"] = step.iteration;
  out["bound"] = step.bound;
  out["leave_one_out"] = step.leave_one_out;
  out["change"] = step.change;
  out["seconds"] = step.seconds;
  out["rows_seen"] = step.rows_seen;
  out["rows_all"] = step.rows_all;
  out["seconds_left"] =
      step.seconds_left < 0 ? nb::object(nb::none()) : nb::object(nb::float_(step.seconds_left));
  out["score"] = step.score ? nb::object(nb::float_(*step.score)) : nb::object(nb::none());
  return out;
}

void hand_over_steps(CallState& state, const nb::object& progress) {
  std::deque<Progress> steps;
  {
    const std::lock_guard lock(state.mutex);
    steps.swap(state.steps);
  }
  for (const Progress& step : steps) progress(step_dict(step));
}

/// Looks after Python: progress and signals. Throws what it raises.
void look_after(CallState& state, const CallOptions& options) {
  if (!options.progress.is_none()) hand_over_steps(state, options.progress);
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

/// The caller goes, with an exception set; the work ends as soon as it can.
void leave(std::thread thread, const std::shared_ptr<CallState>& state) {
  state->stop = true;
  bool ended = false;
  {
    nb::gil_scoped_release release;
    ended = wait_until_done(*state, kPatience);
    if (ended) thread.join();
  }
  if (ended) return;
  const std::lock_guard lock(left_mutex);
  left_work().push_back({std::move(thread), state});
}

}  // namespace

void run_until_done(const std::shared_ptr<CallState>& state, const std::function<void()>& work,
                    const CallOptions& options) {
  tidy();
  std::thread thread([state, work] {
    std::exception_ptr error;
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(state->mutex);
    state->error = error;
    state->done = true;
    state->changed.notify_all();
  });
  bool done = false;
  while (!done) {
    {
      nb::gil_scoped_release release;
      done = wait_until_done(*state, kLook);
    }
    try {
      look_after(*state, options);
    } catch (nb::python_error& error) {
      if (options.keep_interrupted && error.matches(PyExc_KeyboardInterrupt) && !state->stop) {
        state->stop = true;  // the result is what there is so far
        continue;
      }
      leave(std::move(thread), state);
      throw;
    }
  }
  thread.join();
  if (state->error) std::rethrow_exception(state->error);
}

void bind_long_calls(nb::module_& module) {
  module.def(
      "end_left_work",
      [] {
        nb::gil_scoped_release release;
        const std::lock_guard lock(left_mutex);
        for (LeftWork& work : left_work()) {
          if (wait_until_done(*work.state, kFarewell)) {
            work.thread.join();
          } else {
            work.thread.detach();
          }
        }
        left_work().clear();
      },
      "Waits for calls that were interrupted and have not ended yet; at the end of the program.");
}

}  // namespace medley::python
