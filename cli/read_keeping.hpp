// SPDX-License-Identifier: Apache-2.0
// Reading for commands that look at columns beside the model's: known classes, groups, strata.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data_options.hpp"

namespace medley::cli {

/// An option and the column it names; empty: not given.
using ColumnOption = std::pair<std::string, std::string>;

/// Reads the data with these columns set aside, and prints its warnings. A column that is not there
/// is reported under the name of its option.
[[nodiscard]] Dataset read_keeping(const DataOptions& data, ReadOptions reading,
                                   const std::vector<ColumnOption>& columns);

}  // namespace medley::cli
