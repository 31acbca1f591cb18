// SPDX-License-Identifier: Apache-2.0
// The part of medley evaluate that judges the model: --quality and --absolute-fit.
#pragma once

#include <cstddef>

#include "command_line.hpp"
#include "medley/data.hpp"
#include "medley/evaluate.hpp"
#include "medley/model.hpp"

namespace medley::cli {

struct QualityArguments {
  bool quality = false, absolute_fit = false;
  std::size_t top = 10, replicates = 100;
  double least_count = 0;
  [[nodiscard]] bool asked() const { return quality || absolute_fit; }
};

/// To be called after the other options of evaluate: some of them make no sense beside these.
void add_quality_options(Command& command, QualityArguments& arguments);

/// Writes what was asked for. Returns an exit code.
[[nodiscard]] int judge_model(const QualityArguments& arguments, const Model& model,
                              const Dataset& data, const EvaluateOptions& options, bool json);

}  // namespace medley::cli
