// SPDX-License-Identifier: Apache-2.0
// The options of commands that compare groups of rows or know how they were sampled: columns of
// the data that are set aside.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data_options.hpp"
#include "medley/dataset.hpp"

namespace CLI {
class App;
}

namespace medley::cli {

struct DesignOptions {
  std::string strata, cluster;
  double level = 0.95;
};

/// --strata, --cluster and --level.
void add_design_options(CLI::App& command, DesignOptions& options);

/// An option and the column it names; empty: not given.
using ColumnOption = std::pair<std::string, std::string>;

/// Reads the data with these columns set aside. A column that is not there is reported under the
/// name of its option.
[[nodiscard]] Dataset read_keeping(const DataOptions& data, const Model& model,
                                   const std::vector<ColumnOption>& columns);

}  // namespace medley::cli
