// SPDX-License-Identifier: Apache-2.0
// Exact scores of rows under mixed membership. With the membership integrated out, the probability
// of a row is a sum over the counts of its components (math/count_lattice.hpp):
//
//   F_0[0] = 1,   F_o+1[n + e_k] += F_o[n] l_ok (alpha_k + n_k) / (alpha_0 + o)
//   p(x) = sum_n F_m[n],   E[theta_k | x] = sum_n F_m[n] (alpha_k + n_k) / (alpha_0 + m) / p(x)
//
// This takes C(m + K, K) nodes per row of m observations: milliseconds for a survey and a few
// profiles, impossible for a document. Short rows share common parts (model/exact_estep.hpp); rows
// too long for that are solved one by one, as above.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "medley/data.hpp"
#include "model/row_solver.hpp"
#include "model/score_rows.hpp"

namespace medley::model {

/// The cost of scoring every row exactly.
struct ExactCost {
  double steps = 0;  ///< multiply-adds: K times the nodes of each distinct row
  double bytes = 0;  ///< working memory of one thread, and of the lattice
  /// Infinite if the weight of a cell is not a whole number, because there are no counts then.
  [[nodiscard]] bool affordable(double most_steps) const;
};

/// Steps that take some seconds on two cores.
inline constexpr double kQuickSteps = 2e9;
/// Steps that take a minute or two: the limit for new rows of a model fitted exactly.
inline constexpr double kPatientSteps = 1e11;
/// Steps that take a quarter of an hour on two cores; more is refused.
inline constexpr double kMostExactSteps = 3e12;

[[nodiscard]] ExactCost exact_cost(const Dataset& data, std::size_t components);

/// Whether the model's own inference scores these rows exactly: single membership always, mixed
/// membership where that is affordable.
[[nodiscard]] bool scores_exactly(const EStepModel& model, const Dataset& data);

/// score_exactly() if scores_exactly(), else score_rows(). States, if requested, are those of
/// score_rows().
[[nodiscard]] ScoredRows score_by_mode(const EStepModel& model, const Dataset& data,
                                       std::size_t threads, Keep keep = Keep::shares);

/// log p(x) of every row, at a fraction of the cost of score_exactly().
[[nodiscard]] std::vector<double> exact_log_likelihoods(const EStepModel& model,
                                                        const Dataset& data, std::size_t threads);

/// log p(x) and E[theta | x] of every row. The membership's parameters are alpha; the families must
/// have been prepared. Equal rows are computed once.
[[nodiscard]] ScoredRows score_exactly(const EStepModel& model, const Dataset& data,
                                       std::size_t threads);

/// Called once per row with the row, its number of observations m, and p(n_k = j | x) for every
/// component k and count j = 0 .. m (K x (m + 1)): theta_k | x is the mixture of Beta(alpha_k + j,
/// alpha_0 - alpha_k + m - j) with these weights. Calls come from several threads at once.
using VisitCounts =
    std::function<void(std::size_t row, std::size_t m, std::span<const double> probability)>;

/// The distribution of every component's count in every row; equal rows are not folded.
void visit_counts(const EStepModel& model, const Dataset& data, std::size_t threads,
                  const VisitCounts& visit);

/// Writes a function of the counts n (K) of a row of m observations.
using OfCounts =
    std::function<void(std::span<const std::uint16_t> n, std::size_t m, std::span<double> out)>;

/// E[f(n) | x] = sum_n p(n | x) f(n) of every row, rows x width, where f writes `width` numbers. f
/// is called from several threads at once; equal rows are computed once.
[[nodiscard]] std::vector<double> expect_of_counts(const EStepModel& model, const Dataset& data,
                                                   std::size_t threads, std::size_t width,
                                                   const OfCounts& f);

}  // namespace medley::model
