// SPDX-License-Identifier: Apache-2.0
// Some rows of a data set as a data set of their own, with the same columns and levels.
#pragma once

#include <cstddef>
#include <span>

#include "medley/data.hpp"

namespace medley::data {

/// The rows in the given order; each below data.rows. Ids stay as they are (numbers stay implied:
/// rows without ids are numbered anew). Cells that were missing or unseen are not counted anew.
[[nodiscard]] Dataset select_rows(const Dataset& data, std::span<const std::size_t> rows);

}  // namespace medley::data
