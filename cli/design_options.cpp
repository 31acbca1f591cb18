// SPDX-License-Identifier: Apache-2.0
#include "design_options.hpp"

#include <CLI/CLI.hpp>

#include "checks.hpp"
#include "medley/error.hpp"
#include "terminal.hpp"

namespace medley::cli {

void add_design_options(CLI::App& command, DesignOptions& options) {
  command
      .add_option("--strata", options.strata, "column with the stratum each row was sampled from")
      ->type_name("COLUMN");
  command
      .add_option("--cluster", options.cluster,
                  "column with the cluster (primary sampling unit) each row came with")
      ->type_name("COLUMN");
  command.add_option("--level", options.level, "of the intervals; default 0.95")
      ->type_name("LEVEL")
      ->check(share_of_one(), "");
}

Dataset read_keeping(const DataOptions& data, const Model& model,
                     const std::vector<ColumnOption>& columns) {
  ReadOptions reading = read_options(data, model);
  for (const auto& [option, column] : columns) {
    if (!column.empty()) reading.keep.push_back(column);
  }
  try {
    Dataset read_data = read(sources(data), reading);
    for (const std::string& warning : read_data.warnings) print_note("warning: " + warning);
    return read_data;
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) {
      if (problem.where != "keep") continue;
      for (const auto& [option, column] : columns) {
        if (!column.empty() && problem.what.find('"' + column + '"') != std::string::npos)
          problem.where = option;
      }
    }
    throw InputError(std::move(problems), error.total());
  }
}

}  // namespace medley::cli
