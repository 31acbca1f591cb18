// SPDX-License-Identifier: Apache-2.0
// The ways to compute the probability of a class. With P(h | k) the share of class h in component
// k,
//
//   single   sum_k r_k P(h | k),  r_k ~ pi_k prod_o l_ok^w_o                                  exact
//   sole     the same with Gamma(alpha_k + m) / Gamma(alpha_k) for pi_k: every observation of the
//            row comes from one component, the membership is integrated out
//   lattice  sum_n p(n | x) softmax_h(eta n / m) over the counts of the row's components      exact
//   plug_in  softmax_h(eta phibar),  phibar = (gamma - alpha) / m of the unlabelled E-step
//
// Fast inference puts a row's phibar on a vertex, and plug_in would be overconfident; the sole form
// keeps the uncertainty. The conditional objective is maximised in the sole form, so its models
// predict in that form. For a row with nothing observed, r or zbar is the prior's mean.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/model_on_data.hpp"

namespace medley::predict {

enum class ClassForm { single, sole, lattice, plug_in };

/// The form for these rows under this model. Throws InputError if the model has no label.
[[nodiscard]] ClassForm class_form(const model::ModelOnData& on_data, const Dataset& data);

/// Its name in the public interface.
[[nodiscard]] const char* method_name(ClassForm form);

/// A row as if all its observations came from one component: log of r_k before normalisation.
class SoleRows {
 public:
  /// Prepares the log rows of the families.
  explicit SoleRows(const model::ModelOnData& on_data);

  /// log weight of every component (K) for a row of size m, without its cells.
  void log_prior(double m, std::span<double> out) const;
  /// log_prior plus the log-likelihood of the row's cells (K).
  void log_joint(const Dataset& data, std::size_t row, std::span<double> out);

 private:
  const model::Parts& parts_;
  std::vector<double> total_;  // padded K
};

/// p(h | x) of every row, and the component shares it is computed from (r_k, or E[zbar_k]).
struct ClassRows {
  std::vector<double> probability;  ///< rows x C
  std::vector<double> share;        ///< rows x K
};
[[nodiscard]] ClassRows class_rows(const model::ModelOnData& on_data, const Dataset& data,
                                   ClassForm form, std::size_t threads);

/// p(h | a row with nothing observed).
[[nodiscard]] std::vector<double> overall_classes(const model::ModelOnData& on_data,
                                                  ClassForm form);

}  // namespace medley::predict
