// SPDX-License-Identifier: Apache-2.0
#include "progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "medley/error.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kRedraw{100}, kPlainLine{5000};

std::string clock(double seconds) {
  const auto whole = std::llround(seconds);
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole % 3600 / 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// How much of the expected time has gone; empty while that is unknown.
std::string bar(const Progress& p) {
  constexpr std::size_t kWidth = 16;
  const double total = p.seconds + p.seconds_left;
  const double done = p.seconds_left >= 0 && total > 0 ? p.seconds / total : 0;
  const auto full = std::min(kWidth, nearest_integer_of<std::size_t>(done * kWidth));
  std::string out = "[";
  for (std::size_t i = 0; i < kWidth; ++i) out += i < full ? "█" : "·";
  return out + "]";
}

// `score`: of the last rows that were scored before they were learnt.
std::string facts(const Progress& p, const std::optional<double>& score) {
  std::string out = p.stage == "start" ? "finding a start" : p.stage;
  if (p.restarts > 1) out += fmt::format(" {}/{}", p.restart + 1, p.restarts);
  if (p.iteration == 0) {  // steps that are whole fits
    return p.seconds_left >= 0 ? out + fmt::format("  {} left", clock(p.seconds_left)) : out;
  }
  if (score) {
    out += fmt::format("  step {}  held-out {:.4f}", p.iteration, *score);
  } else {
    out += fmt::format("  iteration {}  {} {:.2f}  change {:.1e}", p.iteration,
                       p.leave_one_out ? "leave-one-out" : "bound", p.bound, p.change);
  }
  if (p.seconds > 0)
    out += fmt::format("  {:.0f} rows/s", static_cast<double>(p.rows_seen) / p.seconds);
  if (p.seconds_left >= 0) out += fmt::format("  {} left", clock(p.seconds_left));
  return out;
}

}  // namespace

ProgressLine::ProgressLine(bool quiet)
    : quiet_(quiet),
      redraw_(is_terminal(Stream::error)),
      coloured_(wants_colour(Stream::error)),
      next_(std::chrono::steady_clock::now() + (redraw_ ? milliseconds{0} : kPlainLine)) {}

ProgressLine::~ProgressLine() {
  if (drawn_) std::fputc('\n', stderr);
}

void ProgressLine::show(const Progress& progress) {
  if (quiet_) return;
  if (progress.score) score_ = progress.score;
  last_ = progress;
  pending_ = true;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + (redraw_ ? kRedraw : kPlainLine);
  draw(progress);
}

void ProgressLine::note(const std::string& sentence) {
  if (std::exchange(drawn_, false)) std::fputc('\n', stderr);
  print_note(sentence);
}

void ProgressLine::draw(const Progress& progress) {
  pending_ = false;
  if (!redraw_) {
    std::fputs(fmt::format("medley: {}\n", facts(progress, score_)).c_str(), stderr);
    return;
  }
  constexpr std::size_t kBarWidth = 20;
  const std::size_t width = terminal_width(Stream::error);
  const std::size_t room = width > kBarWidth + 1 ? width - kBarWidth - 1 : 0;
  const std::string text = facts(progress, score_).substr(0, room);
  const std::string drawing = coloured_ ? "\x1b[36m" + bar(progress) + "\x1b[0m" : bar(progress);
  std::fputs(("\r" + drawing + " " + text + "\x1b[K").c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressLine::finish() {
  if (pending_) draw(last_);
  if (drawn_) std::fputc('\n', stderr);
  drawn_ = false;
}

}  // namespace medley::cli
