// SPDX-License-Identifier: Apache-2.0
// Candidates for the beginning of a fit. EM climbs to the optimum whose basin it begins in, and
// which basin is a good one shows after a few iterations: every candidate is given some, the better
// ones some more, and the fit goes on from where the best of them has come.
//
// It can be saved between any two iterations and taken up again with the same bits: the candidate
// that was at work then begins its round again.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/safetensors.hpp"
#include "engines/engine.hpp"
#include "medley/options.hpp"

namespace medley::engines {

/// One way to begin.
struct Candidate {
  std::string name;                    ///< as traces and summaries call it
  std::function<void(Engine&)> begin;  ///< sets the engine to where it begins
  /// Takes part from the second round on, in the place of the candidate of this number, and only if
  /// that one is left then.
  std::optional<std::size_t> replaces = std::nullopt;
};

/// Each candidate that is left goes on until it has made so many iterations, or its bound has all
/// but stopped growing. Then the best `keep`
/// of them are left, of which those go that are behind the best by more than `margin` times what
/// the best has gained since its first iteration.
struct Round {
  std::size_t iterations = 0, keep = 1;
  double margin = std::numeric_limits<double>::infinity();
};

class Contest {
 public:
  Contest(std::vector<Candidate> candidates, std::vector<Round> rounds);

  /// What `after` is told of an iteration, and where the contest stands.
  struct Step {
    const std::string& candidate;
    std::size_t iteration;  ///< of this candidate, from 1
    double bound;
  };
  /// Leaves the engine where the best candidate has come. `after` is called after every iteration.
  /// Where either throws Interrupted the contest can be saved, and run again.
  void run(Engine& engine, const std::function<void(const Step&)>& after);

  /// How every candidate that took part ended: the best first, the others in the order they were
  /// given.
  [[nodiscard]] std::vector<TriedStart> tried() const;

  /// Those that are left after the rounds so far, the best first.
  struct Left {
    std::size_t candidate;
    double bound;
    const core::TensorFile* state;  ///< of the engine
  };
  [[nodiscard]] std::vector<Left> left() const;

  void save(core::TensorFile& file, const std::string& prefix) const;
  /// Of a contest with the same candidates and rounds.
  void restore(const core::TensorFile& file, const std::string& prefix);

 private:
  struct Entry {
    double first = 0, bound = 0;  // after the first iteration, after the last
    std::size_t iterations = 0;
    bool left = true;
    core::TensorFile state = {};  // after its last round
  };
  void run_entry(std::size_t index, Engine& engine, const std::function<void(const Step&)>& after);
  [[nodiscard]] bool takes_part(std::size_t index) const;
  void end_round(const Round& round);
  void replace();
  void drop(Entry& entry);
  [[nodiscard]] bool undecided() const;
  [[nodiscard]] std::size_t count_left() const;
  /// Of the entries that have made iterations and are still in, the best first; of equals the
  /// earlier one.
  [[nodiscard]] std::vector<std::size_t> ranked() const;

  std::vector<Candidate> candidates_;
  std::vector<Round> rounds_;
  std::vector<Entry> entries_;
  std::size_t round_ = 0, next_ = 0;  // the candidate whose turn it is
};

}  // namespace medley::engines
