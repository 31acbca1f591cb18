// SPDX-License-Identifier: Apache-2.0
#include "design_options.hpp"

#include "checks.hpp"

namespace medley::cli {

void add_design_options(Command& command, DesignOptions& options) {
  command
      .add_option("--strata", options.strata, "column with the stratum each row was sampled from")
      .type_name("COLUMN");
  command
      .add_option("--cluster", options.cluster,
                  "column with the cluster (primary sampling unit) each row came with")
      .type_name("COLUMN");
  command.add_option("--level", options.level, "level of the intervals; default 0.95")
      .type_name("LEVEL")
      .check(share_of_one());
}

}  // namespace medley::cli
