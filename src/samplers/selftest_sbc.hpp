// SPDX-License-Identifier: Apache-2.0
// Simulation-based calibration of a sampler (samplers/selftest_joint.hpp): unknowns and cells drawn
// forward, a fit to the cells, and the rank of the truth among L draws of the fit. Truth and draws
// come from one posterior, so that each of the ranks 0 .. L is as likely as any other; over R fits
//
//   X^2 = sum_r (n_r - R/(L+1))^2 / (R/(L+1)),   chi-square with L degrees of freedom
//
// This needs draws that do not depend on each other. A fit goes on until its effective draws are a
// few times L, for every number that is followed, and L of them are taken, far apart. Equal numbers
// are ranked at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "medley/options.hpp"
#include "medley/uncertainty.hpp"
#include "samplers/selftest_joint.hpp"

namespace medley::samplers {

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

}  // namespace medley::samplers
