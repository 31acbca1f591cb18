// SPDX-License-Identifier: Apache-2.0
// Two models side by side for programs. Components are numbered from 1.
#pragma once

#include <string>

#include "medley/evaluate.hpp"

namespace medley::cli {

/// One JSON object, ending in a line end; `agreement` is of the rows' shares, null: no rows.
[[nodiscard]] std::string comparison_json(const Comparison& comparison, const Model& a,
                                          const Model& b, const MembershipAgreement* agreement);

}  // namespace medley::cli
