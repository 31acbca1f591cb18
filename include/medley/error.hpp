// SPDX-License-Identifier: Apache-2.0
// How a call ends otherwise than with its result, and what it tells while it runs: errors,
// interrupts, progress.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace medley {

// Errors a caller can act on. Two kinds are thrown: InputError when what was given is wrong (a
// file, a column, an option), RunError when something failed while running (a full disk, no
// memory). Numbers that go wrong (no convergence, a dead component) are no exception: FitSummary
// tells them. Interrupted is no error: it was asked for.

/// One thing wrong with the input.
struct Problem {
  std::string where;      ///< file:line and column, or the option; may be empty
  std::string what;       ///< what was found and what was expected
  std::string remedy;     ///< what to do about it; may be empty
  std::size_t count = 1;  ///< so many of this kind, told as one

  /// "where: what (remedy)", leaving out the empty parts.
  [[nodiscard]] std::string text() const;
};

/// What was given is wrong. Lists every problem found (the first 20; `total` counts them all).
class InputError : public std::runtime_error {
 public:
  static constexpr std::size_t kListed = 20;

  explicit InputError(Problem problem);
  explicit InputError(std::vector<Problem> problems, std::size_t total = 0);

  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }
  [[nodiscard]] std::size_t total() const { return total_; }
  /// Problems that none of the listed ones stands for.
  [[nodiscard]] std::size_t unlisted() const;

 private:
  std::vector<Problem> problems_;
  std::size_t total_;
};

/// Something failed while running: a file could not be written, memory ran out.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Hooks::stop was set (hooks.hpp), and there is nothing to return. Nothing half-written is left.
/// No RunError: who makes up for failures is not to make up for this.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

// How long work says where it is, and how it is stopped. Every function that goes through all rows
// takes Hooks as its last argument.

/// One step of a fit, or how far other work has come, for progress bars and trace files.
struct Progress {
  std::size_t restart = 0;  ///< from 0
  std::size_t restarts = 1;
  /// Of a fit: "start" (finding a starting point), the name of a candidate for the beginning
  /// (TriedStart), "fit", "sweep", "replicate" (a whole fit). Of other work what it does:
  /// "reading", "scoring rows"; then only rows_seen, rows_all, seconds and seconds_left are told.
  std::string stage;
  std::size_t iteration = 0;  ///< within the stage, from 1; 0 for whole fits
  double bound = 0;  ///< the penalised bound after this iteration; of a minibatch: not penalised
  /// `bound` is none, but the leave-one-out log-likelihood (collapsed inference): it may fall.
  bool leave_one_out = false;
  double change = 0;          ///< relative growth since the iteration before
  double seconds = 0;         ///< since the fit, or the stage of other work, began
  std::size_t rows_seen = 0;  ///< rows processed since then
  std::size_t rows_all = 0;   ///< that the stage of other work goes through; 0: not known, or a fit
  double seconds_left = -1;   ///< estimate; negative when unknown
  /// Minibatches only, where one was scored before it was learnt: nats per held-out observation, by
  /// completion (three parts, each predicted from the others).
  std::optional<double> score = {};
};

/// How work reports and is stopped. All may be empty.
struct Hooks {
  /// Called by whichever thread is at work, never by two at once.
  std::function<void(const Progress&)> progress = {};
  /// Set it (from a signal handler, say) to stop: within half a second the function throws
  /// Interrupted (error.hpp), or returns what it has where its result can say that it was
  /// interrupted. A fit does, after writing the checkpoint if one was asked for.
  const std::atomic<bool>* stop = nullptr;
  /// What the work goes on in spite of, as a sentence: a checkpoint that could not be written. Of
  /// the run, not of the model: FitSummary::warnings does not have it.
  std::function<void(const std::string&)> warn = {};
};

// From numbers with a point to whole ones. A plain cast of a number that is out of range, or none,
// is undefined: counts of 1e20 once became writes beyond a table's end. So there are no plain casts
// but these two (tools/double_casts.py looks for them).

/// The least and the first too large number of a type; both are exact.
template <std::integral T>
inline constexpr double kLeastOf = static_cast<double>(std::numeric_limits<T>::min());
template <std::integral T>
inline constexpr double kBeyond = 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);

/// The number without its fraction. Throws std::out_of_range for what does not fit, or is NaN.
template <std::integral T>
[[nodiscard]] constexpr T integer_of(double number) {
  const bool above = number >= kLeastOf<T> || number > kLeastOf<T> - 1.0;  // -0.5 is 0
  if (!(above && number < kBeyond<T>))
    throw std::out_of_range("a number is beyond what can be counted");
  return static_cast<T>(number);
}

/// The number without its fraction, or the end of the range that it is beyond; 0 for NaN.
template <std::integral T>
[[nodiscard]] constexpr T nearest_integer_of(double number) {
  if (number != number) return 0;
  if (number <= kLeastOf<T>) return std::numeric_limits<T>::min();
  if (number >= kBeyond<T>) return std::numeric_limits<T>::max();
  return static_cast<T>(number);
}

}  // namespace medley
