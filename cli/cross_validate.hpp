// SPDX-License-Identifier: Apache-2.0
// Cross-validation on the command line: medley evaluate DATA --k N --folds F.
#pragma once

#include <cstddef>

#include "medley/evaluate.hpp"
#include "medley/options.hpp"

namespace medley::cli {

struct FoldsArguments {
  std::size_t folds = 0;
  EvaluateOptions scoring;  ///< with one truth column at most
  bool json = false, quiet = false;
};

/// Fits and scores fold by fold, with progress and Ctrl-C; prints the scores, returns an exit code.
/// `data` must hold the truth columns among its kept ones.
int run_folds(const Dataset& data, const FitOptions& fitting, const FoldsArguments& arguments);

}  // namespace medley::cli
