// SPDX-License-Identifier: Apache-2.0
// Errors, interrupts and progress: how a call can end without a result, and what it reports while
// it runs.
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

// Errors that a caller can act on. InputError means that the input is wrong (a file, a column, an
// option); RunError means that something failed while running (a full disk, no memory). Numerical
// trouble (no convergence, an empty component) is not an exception: FitSummary reports it.
// Interrupted is not an error: the caller requested it.

/// One thing wrong with the input.
struct Problem {
  std::string where;      ///< file:line and column, or the option; may be empty
  std::string what;       ///< what was found and what was expected
  std::string remedy;     ///< what to do about it; may be empty
  std::size_t count = 1;  ///< number of problems of this kind, reported as one

  /// "where: what (remedy)", leaving out the empty parts.
  [[nodiscard]] std::string text() const;
};

/// The input is wrong. Lists every problem found (the first 20; `total` counts them all).
class InputError : public std::runtime_error {
 public:
  static constexpr std::size_t kListed = 20;

  explicit InputError(Problem problem);
  explicit InputError(std::vector<Problem> problems, std::size_t total = 0);

  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }
  [[nodiscard]] std::size_t total() const { return total_; }
  /// Number of problems that no listed problem includes in its count.
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

/// Hooks::stop was set, and there is no result to return. No half-written file is left. It is not
/// a RunError, so that code that recovers from failures does not catch it.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

// Progress reports and interrupts. Every function that walks all rows takes Hooks as its last
// argument.

/// One step of a fit, or the progress of other work, for progress bars and trace files.
struct Progress {
  std::size_t restart = 0;  ///< from 0
  std::size_t restarts = 1;
  /// In a fit: "start" (finding a starting point), the name of a candidate (TriedStart), "fit",
  /// "sweep" or "replicate" (a whole fit). In other work its name, such as "reading" or "scoring
  /// rows"; then only rows_seen, rows_all, seconds and seconds_left are set.
  std::string stage;
  std::size_t iteration = 0;  ///< within the stage, from 1; 0 for whole fits
  double bound = 0;  ///< the penalised bound after this iteration; of a minibatch: not penalised
  /// True: `bound` is the leave-one-out log-likelihood (collapsed inference), which may fall.
  bool leave_one_out = false;
  double change = 0;          ///< relative growth since the previous iteration
  double seconds = 0;         ///< since the fit, or the stage of other work, began
  std::size_t rows_seen = 0;  ///< rows processed since then
  std::size_t rows_all = 0;   ///< rows that the stage processes in all; 0: unknown, or a fit
  double seconds_left = -1;   ///< estimate; negative when unknown
  /// Minibatches only, if this one was scored before learning from it: nats per held-out
  /// observation, by completion (three parts, each predicted from the others).
  std::optional<double> score = {};
};

/// Callbacks of a call. All may be empty.
struct Hooks {
  /// Called from any thread, never from two at once.
  std::function<void(const Progress&)> progress = {};
  /// Set it (from a signal handler, say) to stop. Within half a second the function throws
  /// Interrupted, or returns a partial result if the result can say that it was interrupted. A fit
  /// does the latter, after writing the checkpoint if one is configured.
  const std::atomic<bool>* stop = nullptr;
  /// Gets a sentence about a failure that does not end the work, such as a checkpoint that could
  /// not be written. It concerns the run, not the model: FitSummary::warnings does not contain it.
  std::function<void(const std::string&)> warn = {};
};

// Conversion from floating point to integers. A plain cast of a number that is out of range or NaN
// is undefined behaviour: counts of 1e20 once became writes past the end of a table. So these two
// functions are the only casts of that kind (tools/double_casts.py checks it).

/// The smallest value of a type, and the first value above its range; both are exact in double.
template <std::integral T>
inline constexpr double kLeastOf = static_cast<double>(std::numeric_limits<T>::min());
template <std::integral T>
inline constexpr double kBeyond = 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);

/// The number without its fraction. Throws std::out_of_range if it does not fit or is NaN.
template <std::integral T>
[[nodiscard]] constexpr T integer_of(double number) {
  const bool above = number >= kLeastOf<T> || number > kLeastOf<T> - 1.0;  // -0.5 is 0
  if (!(above && number < kBeyond<T>))
    throw std::out_of_range("a number is beyond what can be counted");
  return static_cast<T>(number);
}

/// The number without its fraction, or the nearer end of the range if it is outside; 0 for NaN.
template <std::integral T>
[[nodiscard]] constexpr T nearest_integer_of(double number) {
  if (number != number) return 0;
  if (number <= kLeastOf<T>) return std::numeric_limits<T>::min();
  if (number >= kBeyond<T>) return std::numeric_limits<T>::max();
  return static_cast<T>(number);
}

}  // namespace medley
