// SPDX-License-Identifier: Apache-2.0
// A call that may take long works in a thread of its own. The calling thread gives the interpreter
// away, wakes every 50 ms to see whether the user pressed Ctrl-C, and hands progress to Python:
// only it may do either. Ctrl-C (or an exception of the callback) sets the flag that the library
// looks at; should the work not end soon, it is left to end on its own, which is why it owns
// everything it uses.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "medley/error.hpp"

namespace medley::python {

namespace nb = nanobind;

struct CallState {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::exception_ptr error;
  std::atomic<bool> stop = false;
  std::deque<Progress> steps;  ///< not handed to Python yet
};

struct CallOptions {
  nb::object progress = nb::none();  ///< called with every step, in the calling thread
  /// Ctrl-C ends the work early, and what there is by then is the result.
  bool keep_interrupted = false;
};

/// Works in a thread until it is done; raises what was thrown in it, or what Python raised
/// meanwhile.
void run_until_done(const std::shared_ptr<CallState>& state, const std::function<void()>& work,
                    const CallOptions& options);

/// The result of work(hooks). The work must own what it uses and touch no Python object.
template <class Work>
auto long_call(Work work, const CallOptions& options = {}) {
  using Result = std::invoke_result_t<Work&, const Hooks&>;
  const auto state = std::make_shared<CallState>();
  const auto result = std::make_shared<std::optional<Result>>();
  const auto kept = std::make_shared<Work>(std::move(work));
  const bool watched = !options.progress.is_none();
  run_until_done(
      state,
      [state, result, watched, kept] {
        Hooks hooks;
        hooks.stop = &state->stop;
        if (watched) {
          hooks.progress = [state = state.get()](const Progress& step) {
            const std::lock_guard lock(state->mutex);
            state->steps.push_back(step);
          };
        }
        result->emplace((*kept)(hooks));
      },
      options);
  return std::move(**result);
}

}  // namespace medley::python
