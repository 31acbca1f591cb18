// SPDX-License-Identifier: Apache-2.0
// Errors a caller can act on. Two kinds are thrown: InputError when what was given is wrong (a
// file, a column, an option), RunError when something failed while running (a full disk, no
// memory). Numbers that go wrong (no convergence, a dead component) are no exception: FitSummary
// tells them. Interrupted is no error: it was asked for.
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace medley {

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

}  // namespace medley
