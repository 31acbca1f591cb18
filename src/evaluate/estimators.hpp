// SPDX-License-Identifier: Apache-2.0
// The named estimators of a row's log-likelihood given the parameters, behind one interface:
//
//   bound          the variational lower bound, from the documented start
//   exact          the log-likelihood itself: always for single membership, for mixed membership by
//                  the lattice of counts where that is affordable
//   importance     by sampling memberships, with its standard error
//   left-to-right  by sampling components observation by observation, with its standard error
//   completion     a part of the row is observed, the rest of it predicted and scored
#pragma once

#include <optional>
#include <vector>

#include "evaluate/importance.hpp"
#include "medley/evaluate.hpp"
#include "model/model_on_data.hpp"

namespace medley::evaluation {

struct Estimates {
  std::vector<RowEstimate> row;
  std::vector<double> share = {};  ///< rows x K if the model's own memberships came along
  // Completion only:
  std::optional<Dataset> tested = {};              ///< what was scored; else it is all of the data
  std::vector<std::vector<double>> of_block = {};  ///< per block, per row: its log-likelihood
};

struct Chosen {
  Estimator estimator = Estimator::bound;
  std::string reason;  ///< if it was not asked for by name
};

/// Throws InputError if the wanted one is not offered for the model, or beyond reach for the data.
/// Tempered: under block weights the likelihood is that of no distribution over the cells, so
/// nothing is exact, and there is nothing to sample from.
[[nodiscard]] Chosen choose_estimator(const EvaluateOptions& options,
                                      const model::ModelOnData& model, const Dataset& data,
                                      bool tempered);

[[nodiscard]] Estimates estimate_rows(const model::ModelOnData& model, const Dataset& data,
                                      Estimator estimator, const EvaluateOptions& options);

/// Draws that an estimate can be worth if it is `shortfall` nats below a bound: the likelihood is
/// not below that, so the estimate lacks the share 1 - exp(-shortfall) of it or more, and that many
/// draws have such an error.
[[nodiscard]] double effective_at_most(double shortfall);

// The score of rows by completion: the observations of every row are dealt at random into parts (a
// word that occurs three times is three observations); a part is scored given the others,
//
//   sum over observations o of the part of  log sum_k E[theta_k | other parts] l_ok
//
// Two parts, one of them scored (half), or three parts, each scored in turn (threefold). Rows with
// fewer observations than parts are left out. The score is of what follows from having seen a part
// of a row; it is not the likelihood of the whole row, and a little pessimistic for long parts,
// because the membership is not updated while they are predicted.

[[nodiscard]] Estimates complete_rows(const model::ModelOnData& model, const Dataset& data,
                                      const EvaluateOptions& options);

/// Data dealt into `parts` data sets of the same rows and blocks.
[[nodiscard]] std::vector<Dataset> deal(const Dataset& data, std::size_t parts, std::uint64_t seed);

}  // namespace medley::evaluation
