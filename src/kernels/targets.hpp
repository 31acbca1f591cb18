// SPDX-License-Identifier: Apache-2.0
// The instruction sets that the kernels are compiled for: tests run every one that the machine has.
#pragma once

#include <cstdint>
#include <vector>

namespace medley::kernels {

/// Of those compiled, the ones that this machine has, by Highway's numbers (HWY_AVX2).
[[nodiscard]] std::vector<std::int64_t> targets();

}  // namespace medley::kernels
