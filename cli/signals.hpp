// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and its relatives. The first SIGINT, SIGTERM or SIGHUP (a dropped connection) asks
// whatever is being done to stop: it throws Interrupted within half a second, what was half written
// is removed, and the program ends by the signal, or as a fit does with a checkpoint. The second
// ends it at once.
#pragma once

#include <atomic>
#include <string>

#include "medley/error.hpp"

namespace medley::cli {

/// Installs the handlers. A closed pipe is reported as a failed write instead of killing the
/// program.
void install_signal_handlers();

/// The file to remove if a signal ends the program at once; an empty name: none.
void remove_if_killed(const std::string& path);

/// For every function of the library that takes hooks: stops when a signal asks for it.
[[nodiscard]] const Hooks& stop_hooks();
/// Whether one has.
[[nodiscard]] bool stop_asked();
/// Ends the program by the signal that asked, so that a calling shell script sees it and stops too.
[[noreturn]] void end_by_signal();

/// While it lives, stopping may take as long as it needs (a checkpoint is written); otherwise the
/// program ends by itself if it hangs in some read or write for seconds.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;
  [[nodiscard]] const std::atomic<bool>* flag() const;
};

}  // namespace medley::cli
