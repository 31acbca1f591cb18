// SPDX-License-Identifier: Apache-2.0
// Tables as files and draws hold them, rows x K, and as families do, with rows padded for the
// kernels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace medley::model {

[[nodiscard]] std::vector<double> unpadded(std::span<const double> table, std::size_t components);
[[nodiscard]] std::vector<double> padded(std::span<const double> table, std::size_t components);

}  // namespace medley::model
