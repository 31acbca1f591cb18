// SPDX-License-Identifier: Apache-2.0
// One run of an engine and its trace: iterates until the penalised bound stops growing, somebody
// says stop, or the limit is reached. It can be saved between any two iterations and taken up again
// with the same bits.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/safetensors.hpp"
#include "engines/engine.hpp"
#include "medley/options.hpp"

namespace medley::engines {

/// EM promises that the bound never falls; this much (relative) is rounding.
inline constexpr double kRounding = 1e-9;

struct RunTrace {
  std::vector<double> bound;  ///< penalised, after each iteration so far
  std::size_t quiet = 0;      ///< iterations in a row with little growth
  bool fell = false;          ///< the bound fell by more than rounding
  Termination termination = Termination::iteration_limit;
  std::optional<double> training_bound = {};
  std::vector<TriedStart> tried = {};  ///< what its beginning was chosen from

  [[nodiscard]] std::size_t iterations() const { return bound.size(); }
  /// Relative growth of the last iteration; infinity after the first.
  [[nodiscard]] double change() const;
  /// Iterations still to come at the present rate of decline; negative if unknown.
  [[nodiscard]] double iterations_left(double tolerance) const;

  void save(core::TensorFile& file, const std::string& prefix) const;
  void restore(const core::TensorFile& file, const std::string& prefix);
};

struct RunLimits {
  double tolerance = 1e-6;
  std::size_t max_iterations = 500;
};

/// Iterates. `after` is called after every iteration. Where either throws Interrupted the run is
/// that of the iterations so far, and the engine can go on (Engine::iterate).
void run(Engine& engine, RunTrace& trace, const RunLimits& limits,
         const std::function<void()>& after);

}  // namespace medley::engines
