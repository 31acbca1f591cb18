// SPDX-License-Identifier: Apache-2.0
// Multinomial logistic regression with a quadratic penalty: classes c from features x,
//
//   log P(c | x) = a_c + b_c'x - log sum_h exp(a_h + b_h'x)
//
// by minimising  - sum_i w_i log P(y_i | x_i) + penalty / 2 sum_c |b_c|^2. Intercepts a are not
// penalised; they begin at the logs of the class shares, and stay there under an infinite penalty.
// The penalty is the same for every feature: scale the features alike first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/optimise.hpp"

namespace medley::math {

/// The rows to learn from.
struct LogisticRows {
  std::size_t features = 0, classes = 0;
  std::span<const double> x;            ///< rows x features
  std::span<const std::int32_t> label;  ///< per row; rows below 0 (unknown) are left out
  std::span<const double> weight = {};  ///< per row, all >= 0; empty: 1
};

/// A class without rows (or weight) is impossible: its intercept has this value, its slopes are 0.
inline constexpr double kAbsentClass = -690;  // log 1e-300

struct LogisticRegression {
  std::size_t features = 0, classes = 0;
  std::vector<double> coefficients;  ///< classes x (1 + features), the intercept first
  LbfgsResult ended = {};

  /// Writes log P(c | x) for all classes.
  void log_probabilities(std::span<const double> x, std::span<double> out) const;
};

/// The penalised negative log-likelihood at coefficients classes x (1 + features), and its
/// gradient.
double logistic_loss(const LogisticRows& rows, double penalty, std::span<const double> coefficients,
                     std::span<double> gradient);

/// If no class has rows, all coefficients are 0: every class is equally likely.
[[nodiscard]] LogisticRegression fit_logistic(const LogisticRows& rows, double penalty,
                                              const LbfgsOptions& options = {500, 1e-8, 10});

}  // namespace medley::math
