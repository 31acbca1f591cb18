// SPDX-License-Identifier: Apache-2.0
// Columns that give the label away: a copy of it, or a finer code of the same thing, left among the
// features. A model is then right about every row of the file and of no use for new ones.
#pragma once

#include <string>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

/// The names of the columns of answers or numbers that have one class for every value: over at
/// least 20 rows with a class, of at least two classes, five rows and more per value.
[[nodiscard]] std::vector<std::string> columns_that_tell(const Dataset& data,
                                                         const KeptColumn& label);

}  // namespace medley::data
