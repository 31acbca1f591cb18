// SPDX-License-Identifier: Apache-2.0
// Numbers in half precision (IEEE 754 binary16): 11 bits, so good to 5e-4 of themselves from 6e-5
// upwards and to 6e-8 below that; for shares of which there are too many to keep them in float.
#pragma once

#include <cstddef>
#include <cstdint>

namespace medley::kernels {

using Half = std::uint16_t;  ///< its bits

/// Rounds to the nearest (below 6e-5, and on machines without an instruction for it, to one of the
/// two nearest); count must be a multiple of kLanes.
void to_half(const float* from, std::size_t count, Half* to);
/// Exact; count must be a multiple of kLanes.
void from_half(const Half* from, std::size_t count, float* to);

}  // namespace medley::kernels
