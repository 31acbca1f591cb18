// SPDX-License-Identifier: Apache-2.0
// Cross-validation on the command line: medley evaluate DATA --k N --folds F.
#pragma once

#include "medley/evaluate.hpp"
#include "medley/options.hpp"

namespace medley::cli {

/// Where the scores go.
struct FoldsOutput {
  bool json = false, quiet = false;
  bool per_row = false;  ///< instead: a line of CSV for every row
};

/// What to read with, so that every fold can choose its own words; `options.words` gets the choice.
[[nodiscard]] ReadOptions reading_for_folds(ReadOptions reading, CrossValidateOptions& options);

/// Fits and scores fold by fold, with progress and Ctrl-C; prints the scores, returns an exit code.
/// `data` must hold the truth columns among its kept ones.
int run_folds(const Dataset& data, const FitOptions& fitting, const CrossValidateOptions& options,
              FoldsOutput output);

}  // namespace medley::cli
