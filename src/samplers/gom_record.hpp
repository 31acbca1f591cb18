// SPDX-License-Identifier: Apache-2.0
// What one chain of a grade-of-membership model leaves behind once it has burnt in: after every
// sweep the conditional log-likelihood, alpha_0 and the probabilities of a few cells, and the
// running sum of every cell's probability P_o; of the draws that are kept, alpha and tables, and
// the running sum of expected memberships. Components are brought into the order of the chain's
// first kept draw (samplers/gom_record.hpp) before anything is summed over draws.
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

// Components have no names: in another chain, or later in the same, component 1 may be what was 3.
// A draw is brought into the order of a reference by pairing their components so that
//
//   sum_k sum_r weight_r (draw[r][order[k]] - reference[r][k])^2
//
// is least (math/assignment.hpp). Rows r are anything that tells components apart: here the
// likelihoods of the distinct cells, weighted by how often they were observed, which means the same
// for every family.

/// Aligned component k is the draw's component order[k]. Both are rows x K; `weight`: per row.
[[nodiscard]] std::vector<std::size_t> align_draw(std::span<const double> draw,
                                                  std::span<const double> reference,
                                                  std::span<const double> weight,
                                                  std::size_t components);

// The deviance information criterion with conditional focus: with P_o = sum_k theta_ik f(x_o |
// beta_k), the probability of an observation given its person's membership and the tables,
//
//   D = -2 sum_o log P_o,   p_D = mean of D - D(plug-in),   DIC = mean of D + p_D
//
// The plug-in is the posterior mean of every P_o, which does not depend on how components are
// numbered; means of theta and beta from draws whose labels were switched would give nonsense.
// p_D counts memberships too, so that it is not comparable with a DIC of the marginal likelihood.

struct Dic {
  double mean_deviance = 0;  ///< D-bar
  double plug_in = 0;        ///< D at the posterior mean of P
  [[nodiscard]] double effective() const { return mean_deviance - plug_in; }  ///< p_D
  [[nodiscard]] double dic() const { return mean_deviance + effective(); }
};

/// `log_likelihood`: sum_o log P_o of every draw; `plug_in`: sum_o log of the mean of P_o.
[[nodiscard]] Dic conditional_dic(std::span<const double> log_likelihood, double plug_in);

}  // namespace medley::samplers
