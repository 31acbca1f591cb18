// SPDX-License-Identifier: Apache-2.0
#include "signals.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

namespace medley::cli {
namespace {

// A handler may touch only these; everything in them is set before it matters.
std::atomic<bool> stop_wanted{false};
std::atomic<bool> may_stop_later{false};
std::array<char, 4096> temporary{};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int signal) {
  if (may_stop_later && !stop_wanted.exchange(true)) return;
  if (temporary[0] != '\0') ::unlink(temporary.data());
  // End by the signal itself, so that a calling shell script sees it and stops too.
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void install_signal_handlers() {
  handle(SIGINT, on_signal);
  handle(SIGTERM, on_signal);
  handle(SIGPIPE, SIG_IGN);
  handle(SIGXFSZ, SIG_IGN);  // a file-size limit is a failed write too
}

void remove_if_killed(const std::string& path) {
  temporary[0] = '\0';
  if (path.size() >= temporary.size()) return;
  std::memcpy(temporary.data() + 1, path.c_str() + 1, path.empty() ? 0 : path.size());
  temporary[0] = path.empty() ? '\0' : path[0];
}

StopRequest::StopRequest() {
  stop_wanted = false;
  may_stop_later = true;
}

StopRequest::~StopRequest() {
  may_stop_later = false;
}

const std::atomic<bool>* StopRequest::flag() const {
  return &stop_wanted;
}

}  // namespace medley::cli
