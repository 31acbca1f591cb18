// SPDX-License-Identifier: Apache-2.0
// Numbers in half precision (IEEE 754 binary16), for responsibilities that would take too much
// memory in float: 11 bits, a relative error of 5e-4 from 6e-5 upwards, an absolute one of 6e-8
// below that.
#pragma once

#include <cstddef>
#include <cstdint>

namespace medley::kernels {

using Half = std::uint16_t;  ///< the bits

/// Rounds to nearest (below 6e-5, and on machines without an instruction for it, to one of the two
/// nearest); count must be a multiple of kLanes.
void to_half(const float* from, std::size_t count, Half* to);
/// Exact; count must be a multiple of kLanes.
void from_half(const Half* from, std::size_t count, float* to);

}  // namespace medley::kernels
