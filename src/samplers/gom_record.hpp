// SPDX-License-Identifier: Apache-2.0
// What one chain of a grade-of-membership model leaves behind once it has burnt in: after every
// sweep the conditional log-likelihood, alpha_0 and the probabilities of a few cells, and the
// running sum of every cell's probability P_o; of the draws that are kept, alpha and tables, and
// the running sum of expected memberships. Components are brought into the order of the chain's
// first kept draw (samplers/align_draws.hpp) before anything is summed over draws.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/safetensors.hpp"
#include "samplers/gom_chain.hpp"
#include "samplers/gom_model.hpp"

namespace medley::samplers {

/// Tables and alpha of one sweep.
struct GomDraw {
  std::size_t chain = 0;
  std::vector<double> alpha = {};  ///< K
  Tables tables = {};              ///< per block, in the layout of Family::parameters()
};

class GomRecord {
 public:
  /// `traced`: the cells (of GomModel::cell_code) whose probabilities are traced. The model must
  /// outlive the record.
  GomRecord(const GomModel& model, std::vector<std::size_t> traced);

  /// After a sweep: `probability` as GomChain::look wrote it.
  void add(const GomChain& chain, double log_likelihood, std::span<const double> probability);
  /// Keeps the draw.
  void keep(const GomChain& chain);

  // After every sweep.
  [[nodiscard]] const std::vector<double>& log_likelihood() const { return log_likelihood_; }
  [[nodiscard]] const std::vector<double>& alpha0() const { return alpha0_; }
  /// Per traced cell.
  [[nodiscard]] const std::vector<std::vector<double>>& cells() const { return cells_; }
  /// log of the sum over sweeps of P_o; -infinity before the first.
  [[nodiscard]] double log_probability_sum(std::size_t cell) const;

  // Of the kept draws, in the order of the chain's own reference.
  [[nodiscard]] const std::vector<GomDraw>& draws() const { return draws_; }
  /// Sums over draws: memberships of rows (rows x K), likelihoods of distinct cells (cells x K).
  [[nodiscard]] const std::vector<double>& share_sum() const { return share_sum_; }
  [[nodiscard]] const std::vector<double>& likelihood_sum() const { return likelihood_sum_; }

  void save(core::TensorFile& file, const std::string& prefix) const;
  /// InputError if it is no record of this model.
  void restore(const core::TensorFile& file, const std::string& prefix);

 private:
  void add_shares(const GomChain& chain, std::span<const std::size_t> order);

  const GomModel& model_;
  std::vector<std::size_t> traced_;
  std::vector<double> log_likelihood_, alpha0_;
  std::vector<std::vector<double>> cells_;
  // Of densities: sums are kept in units of e^unit, that of the first sweep, so that none is too
  // small for a double. Per distinct cell; per cell.
  std::vector<double> unit_, probability_sum_;
  std::vector<GomDraw> draws_;
  std::vector<double> reference_, likelihood_sum_;  // distinct cells x K
  std::vector<double> share_sum_;                   // rows x K
};

}  // namespace medley::samplers
