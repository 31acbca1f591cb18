// SPDX-License-Identifier: Apache-2.0
// Changes that damage, an attacker or a mistake could make to a file: bytes, numbers, lines, pieces
// of another file; in tensor files also single values and whole tensors, behind a header that stays
// in order, so that what reads the values is reached and not only what reads the header.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/rng.hpp"

namespace medley::faults {

/// One of the texts with one to four changes.
[[nodiscard]] std::string mutated_text(const std::vector<std::string>& seeds, core::Rng& rng);

/// One of the tensor files with one to four changes of values, shapes, tensors or metadata.
[[nodiscard]] std::string mutated_tensors(const std::vector<std::string>& seeds, core::Rng& rng);

}  // namespace medley::faults
