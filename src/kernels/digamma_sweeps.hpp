// SPDX-License-Identifier: Apache-2.0
// Sweeps of the digamma fixed point for one row, without leaving the instruction set in between:
//
//   e_k = exp(digamma(state_k)) f_k     counts = the pass (kernels/pass.hpp)     state = prior +
//   counts
//
// until no state moves by `enough` or more. The padding of prior and state holds 1/2, that of the
// rows 0: there e is harmless and counts are 0.
//
// The sweeps converge linearly, slowly where profiles are alike. Once no state moves by `near`, the
// row has found its optimum and the rest is extrapolated (SQUAREM, Varadhan and Roland 2008): from
// three states x0, x1, x2 of two sweeps, r = x1 - x0, v = x2 - 2 x1 + x0, s = |r| / |v|,
//
//   x = x0 + 2 s r + s^2 v
//
// is where the next sweep begins, if that sweep then moves less than the last one did; else it goes
// on from x2. What is asked of the end is the same: a plain sweep that moves nothing by `enough`.
//
// In float, and given room, rounds over the active components alone come between
// (active_sweeps-inl.hpp); their sweeps count too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace medley::kernels {

/// The row as the sweeps want it: likelihood rows count x padded K, weights, prior (padded K), and
/// factors f (padded K; null: 1).
template <class T>
struct SweepRow {
  const T* rows = nullptr;
  const T* weight = nullptr;
  std::size_t count = 0, components = 0, padded = 0;
  const T* prior = nullptr;
  const T* factor = nullptr;
};

/// State (padded K) goes in and comes out; e and counts (padded K) and norm (count) are those of
/// the last sweep. Working memory: `older`, two states; for active components (float only; null:
/// without) `room`, sweep_room() numbers, and `columns`, 2 padded K.
template <class T>
struct SweepState {
  T* state = nullptr;
  T* e = nullptr;
  T* counts = nullptr;
  T* norm = nullptr;
  T* older = nullptr;
  T* room = nullptr;
  std::uint32_t* columns = nullptr;
};

/// The room that rounds over active components need: their columns, at most half of all.
[[nodiscard]] constexpr std::size_t sweep_room(std::size_t count, std::size_t padded) {
  return (count + 5) * (padded / 2) + count + padded;
}

/// When to stop: no state moves by `enough`, or after `most` sweeps. Extrapolation below `near`; 0:
/// never. A norm must be above `least`.
template <class T>
struct SweepLimits {
  T enough = 0;
  std::size_t most = 1;
  T near = 0;
  T least = 0;
};

/// False, with meaningless states, if a norm was not above the least.
bool digamma_sweeps(const SweepRow<float>& row, const SweepLimits<float>& limits,
                    const SweepState<float>& out);
bool digamma_sweeps(const SweepRow<double>& row, const SweepLimits<double>& limits,
                    const SweepState<double>& out);

}  // namespace medley::kernels
