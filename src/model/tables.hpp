// SPDX-License-Identifier: Apache-2.0
// Tables as files and draws hold them, without padding (rows x K), and as families do.
#pragma once

#include <span>
#include <vector>

#include "families/family.hpp"

namespace medley::model {

[[nodiscard]] std::vector<double> unpadded(const families::Family& family,
                                           std::span<const double> padded);
[[nodiscard]] std::vector<double> padded(const families::Family& family,
                                         std::span<const double> values);

}  // namespace medley::model
