// SPDX-License-Identifier: Apache-2.0
// EM in the true likelihood of mixed membership: the E-step of model/exact_estep.hpp, then families
// and alpha at their maximum, each with its prior (math/dirichlet.hpp has that of alpha). The
// penalised likelihood never falls.
//
// Accelerated by Anderson's method on the expected statistics v of the E-step (square roots of the
// responsibilities, logarithms of alpha), which every family turns into parameters by its own
// M-step. With x_j the statistics that parameters were made from and g_j those they gave,
// f_j = g_j - x_j, the next x is
//
//   g - sum_j c_j (g_j+1 - g_j),    c = argmin |f - sum_j c_j (f_j+1 - f_j)|
//
// taken only if the likelihood does not fall; otherwise g itself, a plain EM step, and the memory
// is cleared.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "math/optimise.hpp"
#include "model/exact_estep.hpp"
#include "model/exact_plan.hpp"

namespace medley::engines {

/// What one thread does, and how many iterations a fit usually takes: for estimates of time.
inline constexpr double kExactStepsPerSecond = 1e9;
inline constexpr double kExactIterations = 60;

/// The data as the exact E-step and M-step want it; shared by all restarts.
struct ExactData final : EngineData {
  /// The plan must be possible.
  ExactData(const Dataset& data, model::ExactPlan how);
  model::ExactPlan plan;
  std::vector<data::Columns> columns;  ///< of the distinct cells, per block
  std::vector<double> total;           ///< per distinct cell: its weight in the data
};

class ExactEm final : public Engine {
 public:
  /// data.own must be ExactData.
  ExactEm(const EmData& data, EmModel model);

  double iterate() override;
  /// It stays near where it starts, and the best latent classes need not lead to its best optimum:
  /// several different ones, rather than the best alone (mushroom, K = 3: 18 of 20 seeds end within
  /// 0.1 % of the best; from the best classes by swaps 6 of 20).
  [[nodiscard]] StartsWanted starts_wanted() const override { return {48, 6}; }
  /// Its iterations are short and its objective is exact: worth going on for.
  [[nodiscard]] double strictness() const override { return 1e-2; }
  /// The log-likelihood of the present parameters, without the penalty.
  [[nodiscard]] double log_likelihood() const { return statistics_.log_likelihood; }

  void save(core::TensorFile& file, const std::string& prefix) const override;
  void restore(const core::TensorFile& file, const std::string& prefix) override;

 private:
  double step();
  void forget() override;
  void evaluate();
  [[nodiscard]] std::vector<double> target() const;
  void apply(const std::vector<double>& v);
  [[nodiscard]] double alpha_scale() const;

  const ExactData& exact_;
  model::ExactEStep estep_;
  bool evaluated_ = false;  // statistics_ and objective_ are those of the parameters
  model::ExactStatistics statistics_;
  double objective_ = 0;
  std::vector<double> made_from_;  // the statistics v that the parameters were made from
  math::Anderson memory_;
};

}  // namespace medley::engines
