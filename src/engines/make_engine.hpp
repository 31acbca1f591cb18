// SPDX-License-Identifier: Apache-2.0
// The engine that a way of inference asks for.
#pragma once

#include <cstdint>
#include <memory>

#include "engines/engine.hpp"

namespace medley::engines {

/// Adds to the data what the engine of that mode needs. Throws InputError if it would take longer
/// than options.limit.
void equip(EmData& data, const memberships::InferenceMode& mode, const FitOptions& options);

/// The engine of the model's mode; the data must have been equipped for it. `seed`: of its random
/// numbers, if it draws any.
[[nodiscard]] std::unique_ptr<Engine> make_engine(const EmData& data, EmModel model,
                                                  std::uint64_t seed);

}  // namespace medley::engines
