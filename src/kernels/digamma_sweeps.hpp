// SPDX-License-Identifier: Apache-2.0
// Sweeps of the digamma fixed point for one row, without leaving the instruction set in between:
//
//   e_k = exp(digamma(state_k)) f_k     counts = the pass (kernels/pass.hpp)     state = prior +
//   counts
//
// until no state moves by `enough` or more. The padding of prior and state holds 1/2, that of the
// rows 0: there e is harmless and counts are 0.
#pragma once

#include <cstddef>

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
/// the last sweep.
template <class T>
struct SweepState {
  T* state = nullptr;
  T* e = nullptr;
  T* counts = nullptr;
  T* norm = nullptr;
};

/// False, with meaningless states, if a norm was not above `least`.
bool digamma_sweeps(const SweepRow<float>& row, float enough, std::size_t most, float least,
                    const SweepState<float>& out);
bool digamma_sweeps(const SweepRow<double>& row, double enough, std::size_t most, double least,
                    const SweepState<double>& out);

}  // namespace medley::kernels
