// SPDX-License-Identifier: Apache-2.0
#include "terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "flags.hpp"
#include "medley/report.hpp"

namespace medley::cli {
namespace {

int descriptor(Stream stream) {
  return stream == Stream::out ? STDOUT_FILENO : STDERR_FILENO;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

bool is_terminal(Stream stream) {
  if (isatty(descriptor(stream)) == 0) return false;
  const char* kind = std::getenv("TERM");
  return kind != nullptr && std::string_view(kind) != "dumb";
}

bool wants_colour(Stream stream) {
  return is_terminal(stream) && !is_set("NO_COLOR");
}

std::size_t terminal_width(Stream stream) {
  constexpr std::size_t kWithout = 100;
  winsize size{};
  if (ioctl(descriptor(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kWithout;
  return size.ws_col;
}

void print_error(const std::string& message) {
  std::fputs(fmt::format("medley: error: {}\n", as_flags(printable(message))).c_str(), stderr);
}

void print_error(const InputError& error) {
  for (const Problem& problem : error.problems()) print_error(problem.text());
  if (error.unlisted() > 0) {
    print_note(fmt::format("... and {} more problems", error.unlisted()));
  }
}

void print_note(const std::string& message) {
  std::fputs(fmt::format("medley: {}\n", as_flags(printable(message))).c_str(), stderr);
}

}  // namespace medley::cli
