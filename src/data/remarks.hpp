// SPDX-License-Identifier: Apache-2.0
// What is worth saying about the columns of a schema together, once each has been taken for
// something.
#pragma once

#include <string>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

/// Which columns are modelled beside running text, and how to leave them out; empty if none is. Who
/// fits topics often means them for groups to compare, not for what topics are made of.
[[nodiscard]] std::string columns_beside_text(const Schema& schema);

/// Doubts about columns such as INRA63_1 and INRA63_2, one thing measured twice, that are taken for
/// numbers here and levels there.
[[nodiscard]] std::vector<std::string> columns_named_alike(const Schema& schema);

}  // namespace medley::data
