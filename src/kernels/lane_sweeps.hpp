// SPDX-License-Identifier: Apache-2.0
// Runs the digamma fixed point (kernels/digamma_sweeps.hpp) for eight rows at once, one row per
// SIMD lane. With few components, the lanes of a single row would mostly be padding, and its sums
// over lanes would cost more than its products; here there is neither padding nor such sums.
//
// Every row is alone in its lane: its sweeps do not depend on its neighbours, and it stops when it
// has converged. When only few rows still move, the caller finishes them one by one, because most
// lanes would be empty. A row with fewer cells than the longest has cells of weight 0.
#pragma once

#include <cstddef>

namespace medley::kernels {

/// The number of rows at once; the values of one quantity are kAbreast side by side, one per row.
inline constexpr std::size_t kAbreast = 8;

/// Likelihood rows count x K x kAbreast, weights count x kAbreast, and, common to all rows, the
/// prior and the factors of the weights e (K each; factor null: 1).
struct AbreastRows {
  const float* rows = nullptr;
  const float* weight = nullptr;
  std::size_t count = 0, components = 0;
  const float* prior = nullptr;
  const float* factor = nullptr;
};

/// When a row stops: if no state of it moves by its `enough` (kAbreast numbers), or after `most`
/// sweeps. A norm must be above `least`.
struct AbreastLimits {
  const float* enough = nullptr;
  std::size_t most = 1;
  float least = 0;
};

/// The outcome of a row, as a number. Unsound: a norm was not above `least`, and its results are
/// meaningless. Moving: not converged yet. Settled: converged, or `most` sweeps are done.
inline constexpr float kUnsound = 0, kMoving = 1, kSettled = 2;

/// States and counts, K x kAbreast: states are input and output, counts are those of each row's
/// last sweep. `how` (kAbreast) is an outcome from above, `sweeps` (kAbreast) the number of sweeps
/// done. Working memory: `room`, 2 K x kAbreast.
struct AbreastState {
  float* state = nullptr;
  float* counts = nullptr;
  float* how = nullptr;
  float* sweeps = nullptr;
  float* room = nullptr;
};

void lane_sweeps(const AbreastRows& rows, const AbreastLimits& limits, const AbreastState& out);

}  // namespace medley::kernels
