// SPDX-License-Identifier: Apache-2.0
#include "read_keeping.hpp"

#include "medley/error.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {

Dataset read_keeping(const DataOptions& data, ReadOptions reading,
                     const std::vector<ColumnOption>& columns) {
  for (const auto& [option, column] : columns) {
    if (!column.empty()) reading.keep.push_back(column);
  }
  try {
    Dataset read_data = read(sources(data), reading, stop_hooks());
    for (const std::string& warning : read_data.warnings) print_note("warning: " + warning);
    return read_data;
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) {
      if (problem.where != "`keep`") continue;
      for (const auto& [option, column] : columns) {
        if (!column.empty() && problem.what.find('"' + column + '"') != std::string::npos)
          problem.where = option;
      }
    }
    throw InputError(std::move(problems), error.total());
  }
}

}  // namespace medley::cli
