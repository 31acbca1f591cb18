// SPDX-License-Identifier: Apache-2.0
#include "signals.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace medley::cli {
namespace {

// For what does not look at the flag, such as a read of a pipe that nobody writes to.
constexpr unsigned kPatience = 5;  // seconds

// A handler may touch only these; everything in them is set before it matters.
std::atomic<bool> stop_wanted{false};
std::atomic<int> stop_signal{SIGTERM};
std::atomic<bool> takes_its_time{false};
std::array<char, 4096> temporary{};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void end_at_once(int signal) {
  if (temporary[0] != '\0') ::unlink(temporary.data());
  std::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
}

void on_signal(int signal) {
  if (stop_wanted.exchange(true)) return end_at_once(signal);
  stop_signal = signal;
  ::alarm(kPatience);
}

void on_alarm(int) {
  if (!takes_its_time) end_at_once(stop_signal);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);  // not SA_RESTART: a read that waits is to look at the flag
}

/// Under nohup a program goes on.
bool is_ignored(int signal) {
  struct sigaction before{};
  return sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
}

}  // namespace

void install_signal_handlers() {
  handle(SIGINT, on_signal);
  handle(SIGTERM, on_signal);
  if (!is_ignored(SIGHUP)) handle(SIGHUP, on_signal);
  handle(SIGALRM, on_alarm);
  handle(SIGPIPE, SIG_IGN);
  handle(SIGXFSZ, SIG_IGN);  // a file-size limit is a failed write too
}

void remove_if_killed(const std::string& path) {
  temporary[0] = '\0';
  if (path.size() >= temporary.size()) return;
  std::memcpy(temporary.data() + 1, path.c_str() + 1, path.empty() ? 0 : path.size());
  temporary[0] = path.empty() ? '\0' : path[0];
}

const Hooks& stop_hooks() {
  static const Hooks hooks{{}, &stop_wanted};
  return hooks;
}

bool stop_asked() {
  return stop_wanted;
}

void end_by_signal() {
  end_at_once(stop_signal);
  std::abort();  // not reached: the signal has its default action
}

StopRequest::StopRequest() {
  takes_its_time = true;
}

StopRequest::~StopRequest() {
  takes_its_time = false;
}

const std::atomic<bool>* StopRequest::flag() const {
  return &stop_wanted;
}

}  // namespace medley::cli
