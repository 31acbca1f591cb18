// SPDX-License-Identifier: Apache-2.0
// How many processors this process may use.
#pragma once

#include <cstddef>

namespace medley::core {

/// Those this thread may run on, at most what the container's quota comes to; at least 1. The quota
/// is read once.
[[nodiscard]] std::size_t processors();

}  // namespace medley::core
