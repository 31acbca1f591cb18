// SPDX-License-Identifier: Apache-2.0
// The exact E-step under mixed membership. With the membership integrated out, the components z of
// a row's observations matter only through their counts n (math/count_lattice.hpp):
//
//   S_0[0] = 1,    S_o+1[n + e_k] += l_ok S_o[n]              the first o observations, and n
//   R_m[n] = B(alpha + n) / B(alpha),   R_o[n] = sum_k l_ok R_o+1[n + e_k]       the rest, given n
//
//   p(x) = sum_n S_o[n] R_o[n]   for any layer o
//   p(z_o = k | x) = l_ok sum_n S_o[n] R_o+1[n + e_k] / p(x)
//   p(n | x) = S_m[n] R_m[n] / p(x),    E[theta_k | x] = sum_n p(n | x) (alpha_k + n_k) / (alpha_0
//   + m)
//
// l_o is scaled to sum to 1, so that the S of a layer sum to 1 and every number stays in the range
// of a double. Rows that begin alike share S, rows that end alike share R (model/exact_plan.hpp).
// Derivatives flow back along the shared edges, summed over rows:
//
//   G = sum_i w_i log p(x_i),   dG/dS = sum_i w_i R / p(x_i),   dG/dR = sum_i w_i S / p(x_i)
//
// so the responsibilities come out summed over equal cells, which is all that an M-step needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "math/count_lattice.hpp"
#include "math/dirichlet.hpp"
#include "medley/data.hpp"
#include "model/cell_table.hpp"
#include "model/exact_plan.hpp"
#include "model/row_solver.hpp"
#include "model/score_rows.hpp"

namespace medley::model {

class ExactChunkSolver;

struct ExactStatistics {
  double log_likelihood = 0;    ///< of all rows, weighted
  std::vector<double> cells;    ///< distinct cells x padded K: responsibilities, weighted
  math::CountsOfCounts counts;  ///< expected
};

class ExactEStep {
 public:
  /// Plan and data must outlive this object; the plan must be possible and made for the data.
  ExactEStep(const ExactPlan& plan, const Dataset& data, std::size_t threads);
  ~ExactEStep();
  ExactEStep(const ExactEStep&) = delete;
  ExactEStep& operator=(const ExactEStep&) = delete;

  /// The membership's parameters are alpha; the families must have been prepared.
  [[nodiscard]] ExactStatistics expectation(const EStepModel& model);
  /// log p(x) of every row; 0 for rows with nothing observed.
  [[nodiscard]] std::vector<double> log_likelihoods(const EStepModel& model);
  /// log p(x) and E[theta | x], which takes K times as long.
  [[nodiscard]] ScoredRows score(const EStepModel& model);

 private:
  /// Calls `use` with every row that is not empty and its p(x), or p(x) E[theta_k | x] for a given
  /// component k; the likelihoods are scaled. Calls come from several threads at once.
  void probabilities(const EStepModel& model, const CellTable& table,
                     std::optional<std::size_t> component,
                     const std::function<void(std::uint32_t row, double p)>& use);
  ExactChunkSolver& solver_of(std::size_t worker);

  const ExactPlan& plan_;
  const Dataset& data_;
  math::CountLattice lattice_;
  // One per thread. They keep their memory, because allocating it for every iteration would cost as
  // much as the computation.
  std::vector<std::unique_ptr<ExactChunkSolver>> solvers_;
};

}  // namespace medley::model
