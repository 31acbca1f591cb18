// SPDX-License-Identifier: Apache-2.0
// Geweke's joint test of a sampler (samplers/selftest_stage.hpp): the mean of every number that is
// followed, over draws forward, and over turns of new cells and sweeps.
//
// Turns depend on each other, over how long nobody knows. So there are many short chains of them,
// each begun at a draw forward of its own: if the sampler is right they are in equilibrium from the
// beginning, and the means of C chains are C independent numbers whose spread is the error,
//
//   z = (mean forward - mean of chain means) / sqrt(s_f^2 / F + s_c^2 / C)
//
// whatever the dependence within a chain. With s_c from C numbers z is Student's, with C - 1
// degrees of freedom, and is brought back to a normal deviate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "medley/options.hpp"
#include "medley/uncertainty.hpp"
#include "samplers/selftest_stage.hpp"

namespace medley::samplers {

struct GewekePlan {
  std::size_t chains = 100;  ///< at least 3
  std::size_t turns = 150;   ///< of every chain
  std::size_t sweeps = 2;    ///< of every turn: a sampler may have moves that alternate
  std::size_t forward = 8000;
  std::uint64_t seed = 1;
  std::size_t threads = 1;
};

/// One row per number that is followed and that is not always the same; verdicts are not filled in.
/// Nothing if the hooks stopped it.
[[nodiscard]] std::optional<std::vector<SelfTestRow>> geweke(const MakeJoint& make,
                                                             const GewekePlan& plan,
                                                             const Hooks& hooks = {});

// Simulation-based calibration of a sampler (samplers/selftest_stage.hpp): unknowns and cells drawn
// forward, a fit to the cells, and the rank of the truth among L draws of the fit. Truth and draws
// come from one posterior, so that each of the ranks 0 .. L is as likely as any other; over R fits
//
//   X^2 = sum_r (n_r - R/(L+1))^2 / (R/(L+1)),   chi-square with L degrees of freedom
//
// This needs draws that do not depend on each other. A fit goes on until its effective draws are a
// few times L, for every number that is followed, and L of them are taken, far apart. Equal numbers
// are ranked at random.

struct SbcPlan {
  std::size_t fits = 200;
  std::size_t burn_in = 300;             ///< sweeps, in which steps are tuned
  std::size_t ranked = 15;               ///< L
  std::size_t every = 3;                 ///< sweeps between draws
  std::size_t enough = 45;               ///< effective draws
  std::size_t draws = 100, most = 1600;  ///< at first, then twice as many until there are enough
  std::uint64_t seed = 1;
  std::size_t threads = 1;
};

struct SbcResult {
  std::vector<SelfTestRow> row;  ///< verdicts are not filled in
  std::size_t slow = 0;          ///< fits that never had enough effective draws
};

/// Numbers of the cells alone are the same in all draws and are left out, and so is one that never
/// changes in any fit. Nothing if the hooks stopped it.
[[nodiscard]] std::optional<SbcResult> sbc(const MakeJoint& make, const SbcPlan& plan,
                                           const Hooks& hooks = {});

// What the numbers of a test of a sampler say together: m of them are compared, and a right sampler
// may fail in any with probability 1 % at most, so that each fails where p < 0.01 / m (Bonferroni).

/// Fills in the limit, the verdict of every row, that of all, and the sentences.
void judge(SelfTest& test);

}  // namespace medley::samplers
