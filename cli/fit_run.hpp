// SPDX-License-Identifier: Apache-2.0
// What commands that fit and keep a model have in common: progress, trace and Ctrl-C while it
// lasts, the model file and the summary at the end.
#pragma once

#include <functional>
#include <string>

#include "command.hpp"
#include "fit_options.hpp"
#include "medley/data.hpp"
#include "medley/fit.hpp"
#include "medley/model.hpp"
#include "trace_file.hpp"

namespace medley::cli {

/// Says that a checkpoint will be replaced, or that there is none to resume.
void note_checkpoint(const FitOptions& fit);

/// Fits by `begin(hooks)`.
[[nodiscard]] Model run_fit(const FitArguments& arguments, TraceFile& trace,
                            const std::function<Model(const Hooks&)>& begin);

/// What a model was fitted to.
struct FittedData {
  const Dataset& data;  ///< may be without rows
  ChosenOptions choice;
  std::string read;  ///< tells of the data, in words
};
/// Saves the model and says what came out; returns the exit code.
[[nodiscard]] int conclude(const Program& program, const FitArguments& arguments,
                           const Model& model, const FittedData& fitted);

}  // namespace medley::cli
