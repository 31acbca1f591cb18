// SPDX-License-Identifier: Apache-2.0
// What one fit is worth by criteria that need no other fit: the log-likelihood of the training
// rows, residuals of frequent patterns, the quality of topics.
//
// Standard errors of the sums over m patterns, as if each residual were normal around what it is
// with variance 1: of the squares X^2, sqrt(2 m + 4 max(0, X^2 - m)); of the absolute values at
// most sqrt(m). Both with the sampling error of expected counts where these were drawn.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/evaluate.hpp"
#include "medley/model.hpp"
#include "medley/select.hpp"
#include "model/model.hpp"

namespace medley::choose {

// The number of parameters of a model, as AIC and BIC count them:
//
//   p = prior + sum over features K (free numbers of the feature) + (C - 1) K
//
// A list of R probabilities has R - 1 free numbers. The prior has K (alpha fitted), 1 (one common
// alpha), 0 (alpha given) or K - 1 (shares of classes, single membership); with K = 1 there is no
// prior to fit. C: classes of a label that is learnt. Memberships of rows are integrated out and
// not counted. Grade of membership with J yes/no items: K + J K.

[[nodiscard]] std::size_t count_parameters(const model::Parts& parts);

/// One number for every row, by one estimator.
struct RowScores {
  std::string estimator;
  std::vector<double> value;
};
[[nodiscard]] RowScores row_scores(const Model& model, const Dataset& data,
                                   const std::string& estimator, std::size_t threads);

/// Appends "pearson-squares" and "pearson-absolute"; nothing if no pattern is frequent. Returns the
/// patterns.
PatternFit add_pattern_scores(const Model& model, const Dataset& data, double least_count,
                              std::size_t threads, std::vector<SelectionScore>& out);

/// Appends coherence (NPMI) and exclusivity of every block of words, as asked for; their errors are
/// from the spread over topics.
void add_topic_scores(const Model& model, const Dataset& data, bool coherence, bool exclusivity,
                      std::vector<SelectionScore>& out);

}  // namespace medley::choose
