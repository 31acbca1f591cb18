// SPDX-License-Identifier: Apache-2.0
// The options of `medley fit` beside those about data.
#pragma once

#include <optional>
#include <string>

#include "command_line.hpp"
#include "medley/fit.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"

namespace medley::cli {

struct FitArguments {
  FitOptions fit;
  Auto choose;             ///< by inner validation
  std::string model_file;  ///< -o
  std::string trace;
  bool json = false, quiet = false, strict = false;
  double wait = 600;  ///< seconds that a process waits for another
};

void add_fit_options(Command& command, FitArguments& arguments);
/// Those about the model file, checkpoints, trace and what is printed.
void add_output_options(Command& command, FitArguments& arguments);
/// Those about model, search and minibatches: for commands that fit and keep no model.
void add_model_and_search_options(Command& command, FitOptions& fit, Auto& choose);
/// The priors of models that are sampled: --alpha-prior, --concentration.
void add_prior_options(Command& command, FitOptions& fit, const std::string& group);
/// Fills in the checkpoint's name and what else is to be chosen, and throws InputError listing what
/// is missing or unknown.
void complete(FitArguments& arguments);
/// Throws InputError if the start is no known word; `files` says what is wrong with a model file.
void check_start(const FitOptions& fit, const std::string& files);
/// The model that --init names; nothing if it names a start, or none.
[[nodiscard]] std::optional<Model> start_model(const FitOptions& fit);

}  // namespace medley::cli
