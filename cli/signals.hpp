// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and its relatives. Normally a signal ends the program at once, without leaving a temporary
// file; during a fit the first one only asks it to stop.
#pragma once

#include <atomic>
#include <string>

namespace medley::cli {

/// Installs the handlers. A closed pipe is reported as a failed write instead of killing the
/// program.
void install_signal_handlers();

/// The file to remove if a signal ends the program; an empty name: none.
void remove_if_killed(const std::string& path);

/// While it lives, the first SIGINT or SIGTERM sets `flag()`, the second ends the program.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;
  [[nodiscard]] const std::atomic<bool>* flag() const;
};

}  // namespace medley::cli
