// SPDX-License-Identifier: Apache-2.0
// Extrapolation over iterations x -> g(x) that climb an objective, as EM does: the next one begins
// beyond the point where the last one ended, in the direction in which points have been going
// (Nesterov's momentum),
//
//   y = x_t + beta (x_t - x_t-1),    x_t+1 = g(y),    beta = t / (t + 3)
//
// so that beta grows for as long as all goes well. Where the objective at y is below the last one
// the iteration is done from x_t instead and t begins again at 0 (restart by function value:
// O'Donoghue and Candes, Adaptive restart for accelerated gradient schemes, 2015). The objective
// then rises as it does without, and what is learnt of the curvature is in beta alone: it costs one
// more vector, where methods with a memory need many.
//
// Points are the free parameters of a model: logarithms of what is positive, means in standard
// deviations of their column. They may be moved anywhere.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/safetensors.hpp"
#include "engines/engine.hpp"

namespace medley::engines {

class Momentum {
 public:
  /// Is told where the last iteration ended; says where the next one is to begin. Nothing: there.
  [[nodiscard]] std::optional<std::vector<double>> next(std::vector<double> x);
  /// The point that was said turned out to be worse: the next iteration begins where the last one
  /// ended.
  void restart() { steps_ = 0; }
  /// Points to come have nothing to do with those before.
  void clear();

  void save(core::TensorFile& file, const std::string& prefix) const;
  void restore(const core::TensorFile& file, const std::string& prefix);

 private:
  std::vector<double> before_;
  std::size_t steps_ = 0;  // since the last restart
};

/// Whether all that an iteration changes are free parameters. Not with a head, fitted smoothing or
/// posteriors, which have more to them than points.
[[nodiscard]] bool has_free_parameters(const EmModel& model);
/// Block by block, then the membership's own; needs has_free_parameters().
/// `room` may hand over a vector to be used again.
[[nodiscard]] std::vector<double> free_parameters(const EmModel& model,
                                                  std::vector<double> room = {});
void set_free_parameters(std::span<const double> values, EmModel& model);

}  // namespace medley::engines
