// SPDX-License-Identifier: Apache-2.0
// Geweke's joint test of a sampler (samplers/selftest_joint.hpp): the mean of every number that is
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
#include <optional>
#include <vector>

#include "medley/options.hpp"
#include "medley/uncertainty.hpp"
#include "samplers/selftest_joint.hpp"

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

}  // namespace medley::samplers
