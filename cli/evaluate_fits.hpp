// SPDX-License-Identifier: Apache-2.0
// The part of medley evaluate that puts something aside to be predicted: cells of rows under a
// given model, or with --k under models that are fitted without what was put aside and not kept.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "data_options.hpp"
#include "medley/fit.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"

namespace medley::cli {

struct FitsArguments {
  DataOptions data;
  FitOptions fit;                  ///< components 0: no --k, unless it is to be chosen
  std::vector<std::size_t> sizes;  ///< every K that was given
  Auto choose;                     ///< by inner validation, within the rows fitted
  double share = 0;                ///< --holdout-cells; 0: not given
  std::string flip;                ///< numbers with commas
  std::size_t repeat = 1;
  bool json = false, quiet = false;

  /// Whether --k was given.
  [[nodiscard]] bool fits() const { return fit.components > 0 || choose.components; }
};

/// The options about data, fitting and putting aside. DATA may be left out: it is MODEL's place
/// that holds the first file when --k is given.
void add_fits_options(Command& command, FitsArguments& arguments);

/// Hides cells, predicts them with the model, and writes the scores. Returns an exit code.
[[nodiscard]] int score_hidden_cells(const FitsArguments& arguments, const Model& model,
                                     const Dataset& data);
/// Reads the data, fits and scores what was put aside. Returns an exit code.
[[nodiscard]] int run_fits(const FitsArguments& arguments);

}  // namespace medley::cli
