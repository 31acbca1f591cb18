// SPDX-License-Identifier: Apache-2.0
// Sweeps of the digamma fixed point (kernels/digamma_sweeps.hpp) for several rows abreast, a row to
// a lane. With few components the lanes of one row would mostly be padding, and its sums over lanes
// would cost more than its products; here there is no padding and there are no such sums.
//
// Every row is alone in its lane: no sweep of it depends on its neighbours, and it stops when it
// has settled. When few rows are still moving they are left to themselves: the lanes would be empty
// again. A row with fewer cells than the longest has cells of weight 0.
#pragma once

#include <cstddef>

namespace medley::kernels {

/// So many rows go abreast; numbers of one kind are kAbreast side by side, one for each row.
inline constexpr std::size_t kAbreast = 8;

/// Likelihood rows count x K x kAbreast, weights count x kAbreast, and what is common to all rows:
/// the prior and factors of the weights e (K each; factor null: 1).
struct AbreastRows {
  const float* rows = nullptr;
  const float* weight = nullptr;
  std::size_t count = 0, components = 0;
  const float* prior = nullptr;
  const float* factor = nullptr;
};

/// When a row stops: no state of it moves by its `enough` (kAbreast numbers), or after `most`
/// sweeps. A norm must be above `least`.
struct AbreastLimits {
  const float* enough = nullptr;
  std::size_t most = 1;
  float least = 0;
};

/// How a row came out, as a number: a norm was not above the least, and its numbers are
/// meaningless; it is still moving; it has settled, or had all its sweeps.
inline constexpr float kUnsound = 0, kMoving = 1, kSettled = 2;

/// States and counts, K x kAbreast: states go in and come out, counts are those of each row's last
/// sweep. `how` (kAbreast) is one of the above, `sweeps` (kAbreast) how many were done before the
/// row was left. Working memory: `room`, 2 K x kAbreast.
struct AbreastState {
  float* state = nullptr;
  float* counts = nullptr;
  float* how = nullptr;
  float* sweeps = nullptr;
  float* room = nullptr;
};

void lane_sweeps(const AbreastRows& rows, const AbreastLimits& limits, const AbreastState& out);

}  // namespace medley::kernels
