// SPDX-License-Identifier: Apache-2.0
// The options of commands that compare groups of rows or know how they were sampled.
#pragma once

#include <string>

#include "command_line.hpp"

namespace medley::cli {

struct DesignOptions {
  std::string strata, cluster;
  double level = 0.95;
};

/// --strata, --cluster and --level.
void add_design_options(Command& command, DesignOptions& options);

}  // namespace medley::cli
