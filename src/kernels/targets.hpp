// SPDX-License-Identifier: Apache-2.0
// The instruction sets that the kernels are compiled for; tests run all that the machine supports.
#pragma once

#include <cstdint>
#include <vector>

namespace medley::kernels {

/// The compiled instruction sets that this machine supports, by Highway's numbers (HWY_AVX2).
[[nodiscard]] std::vector<std::int64_t> targets();

}  // namespace medley::kernels
