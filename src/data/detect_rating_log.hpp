// SPDX-License-Identifier: Apache-2.0
// A table of three columns that is rather a log of (row, item, value).
#pragma once

#include "data/raw.hpp"

namespace medley::data {

/// Whether the first two columns of three name pairs that never repeat, while both names do, often.
[[nodiscard]] bool is_rating_log(const RawTable& table);

}  // namespace medley::data
