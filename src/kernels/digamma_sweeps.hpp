// SPDX-License-Identifier: Apache-2.0
// Sweeps of the digamma fixed point for one row, all within one instruction set:
//
//   e_k = exp(digamma(state_k)) f_k     counts = the pass (kernels/pass.hpp)     state = prior +
//   counts
//
// until no state moves by `enough` or more. The padding of prior and state holds 1/2, that of the
// rows 0, so that e is harmless there and counts are 0.
//
// The sweeps converge linearly, and slowly where profiles are alike. Once no state moves by `near`,
// the row is close to its optimum and the rest is extrapolated (SQUAREM, Varadhan and Roland 2008):
// from
// three states x0, x1, x2 of two sweeps, r = x1 - x0, v = x2 - 2 x1 + x0, s = |r| / |v|,
//
//   x = x0 + 2 s r + s^2 v
//
// is the start of the next sweep. If that sweep moves less than the last one, its result is kept;
// otherwise the sweeps continue from x2. The convergence criterion is unchanged: a plain sweep that
// moves no state by `enough`.
//
// In float, and with working memory for it, rounds over only the active components come in between
// (active_sweeps-inl.hpp); their sweeps count too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace medley::kernels {

/// The input of a row: likelihood rows count x padded K, weights, prior (padded K), and factors f
/// (padded K; null: 1).
template <class T>
struct SweepRow {
  const T* rows = nullptr;
  const T* weight = nullptr;
  std::size_t count = 0, components = 0, padded = 0;
  const T* prior = nullptr;
  const T* factor = nullptr;
};

/// State (padded K) is input and output; e and counts (padded K) and norm (count) are those of the
/// last sweep. Working memory: `older`, two states; for active components (float only; null:
/// without them) `room`, sweep_room() numbers, and `columns`, 2 padded K.
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

/// The working memory for rounds over active components: their columns, at most half of all.
[[nodiscard]] constexpr std::size_t sweep_room(std::size_t count, std::size_t padded) {
  return (count + 5) * (padded / 2) + count + padded;
}

/// When to stop: if no state moves by `enough`, or after `most` sweeps. Extrapolation begins below
/// `near` (0: never). A norm must be above `least`.
template <class T>
struct SweepLimits {
  T enough = 0;
  std::size_t most = 1;
  T near = 0;
  T least = 0;
};

/// Returns false, with meaningless states, if a norm was not above `least`.
bool digamma_sweeps(const SweepRow<float>& row, const SweepLimits<float>& limits,
                    const SweepState<float>& out);
bool digamma_sweeps(const SweepRow<double>& row, const SweepLimits<double>& limits,
                    const SweepState<double>& out);

}  // namespace medley::kernels
