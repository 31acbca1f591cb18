// SPDX-License-Identifier: Apache-2.0
// Conditional fine-tune: after EM, which explains rows and labels alike, the parameters are moved
// so that the rows explain the labels. In the form where all observations of a row come from one
// component,
//
//   log p(y | x) = log sum_k w_k(m) L_k(x) P(y | k) - log sum_k w_k(m) L_k(x)
//   log L_k(x)   = sum_o w_o log l_ok
//
// with w_k = pi_k for single membership and E[theta_k^m] for mixed, the parameters of the families
// and of the head climb
//
//   sum_i weight_i log p(y_i | x_i) - pull / 2 |free - free of EM|^2
//
// by L-BFGS over their free parameters: families/family.hpp, and the head's logits. With
// r_k(x, y) and r_k(x) the responsibilities with the label and without, the gradient is that of
// responsibilities r_k(x, y) - r_k(x) of every cell; for logit h of component k,
// sum_i weight_i r_k(x_i, y_i) (1[y_i = h] - P(h | k)). The prior (pi, alpha) stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engines/engine.hpp"
#include "heads/softmax.hpp"

namespace medley::engines {

struct ConditionalOptions {
  double pull = 1;
  std::size_t max_iterations = 200;
  double tolerance = 1e-5;  ///< of the gradient, as in math::LbfgsOptions
};

struct ConditionalResult {
  double before = 0, after = 0;  ///< mean log p(y | x) of the labelled rows, without the pull
  std::size_t iterations = 0;
  bool converged = false;
};

/// What is climbed, as a function of the free parameters: block by block K x free_size, then the
/// head's C x K logits. Every call sets the model to them.
class ConditionalObjective {
 public:
  /// Every row has a label, below head.classes(), and something observed. The pull is towards the
  /// parameters of now.
  ConditionalObjective(const EmData& data, std::span<const std::int32_t> label, EmModel& model,
                       heads::Softmax& head, double pull);

  /// The free parameters of EM.
  [[nodiscard]] const std::vector<double>& start() const { return start_; }
  /// Minus the objective; writes its gradient.
  double operator()(std::span<const double> at, std::span<double> gradient);
  /// Sum of weight_i log p(y_i | x_i) at the last call.
  [[nodiscard]] double log_probability() const { return log_probability_; }
  /// Sum of the rows' weights.
  [[nodiscard]] double weight() const { return weight_; }

 private:
  /// What one chunk of rows adds to the sums.
  struct Part {
    double log_probability = 0;
    std::vector<double> joint;  ///< C x K: sum of weight_i r_k(x_i, y_i) over the rows of class h
  };

  void set(std::span<const double> at);
  Part rows(std::size_t begin, std::size_t end);
  void gradient_of_families(std::span<double> out);
  void gradient_of_head(std::span<const double> joint, std::span<double> out) const;

  const EmData& data_;
  std::span<const std::int32_t> label_;
  EmModel& model_;
  heads::Softmax& head_;
  double pull_;
  std::size_t components_, padded_;
  std::vector<double> start_;
  std::vector<double> prior_;                     // rows x K: log w_k(m)
  std::vector<double> vectors_;                   // rows x padded K: r(x, y) - r(x)
  std::vector<std::vector<double>> coefficient_;  // per block and cell: its weight times the row's
  std::vector<std::vector<double>> statistics_;   // per block
  double log_probability_ = 0, weight_ = 0;
};

/// Moves families and head; never to a lower objective. `label` per row, -1 unknown: rows without
/// label, or with nothing observed, are left out. Throws InputError if a family offers no free
/// parameters.
ConditionalResult fine_tune(const EmData& data, std::span<const std::int32_t> label, EmModel& model,
                            heads::Softmax& head, const ConditionalOptions& options);

}  // namespace medley::engines
