// SPDX-License-Identifier: Apache-2.0
// Learning on: a saved model and new rows in, a model of both out, without the rows that the saved
// one was learnt from. The statistics that its tables are the maximum of are the start; then come
// minibatches as in a fit,
//
//   statistics <- (1 - rho_t) statistics + rho_t D/|C_t| statistics of the minibatch
//   rho_t = (t0 + t)^-kappa,   D = rows before + new rows
//
// t goes on from where the model stopped, counted in rows: t = rows learnt so far (in all passes) /
// batch. That is the weight of what was learnt before: with t0 = 0, kappa = 1 and one pass every
// row, old or new, counts the same; a smaller kappa lets later rows count for more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "medley/dataset.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"
#include "medley/stream.hpp"

namespace medley {

/// What is not given is as in the model: its own fit in minibatches, or the defaults of one.
struct UpdateOptions {
  std::size_t batch = 0;          ///< 0: the model's, else 1000, but all new rows if they are fewer
  std::optional<double> t0 = {};  ///< 0 or more
  std::optional<double> kappa = {};  ///< above 0.5, at most 1
  std::size_t passes = 0;            ///< over the new rows
  std::optional<std::uint64_t> seed = {};
  std::size_t threads = 0;  ///< 0: all cores that we may use
  // As in FitOptions:
  std::string checkpoint = {};
  double checkpoint_seconds = 60;
  bool resume = false;
};

/// The rows must have been read by the model's schema. Components keep their numbers and names; the
/// summary counts all rows, and its bound is that of the new ones. Throws InputError listing every
/// objection: a label that the model learnt, rows of other columns, no rows, or rows that hold
/// nothing the model knows.
[[nodiscard]] Model update(const Model& model, const RowSource& rows, const UpdateOptions& options,
                           const Hooks& hooks = {});
[[nodiscard]] Model update(const Model& model, const Dataset& rows, const UpdateOptions& options,
                           const Hooks& hooks = {});

}  // namespace medley
