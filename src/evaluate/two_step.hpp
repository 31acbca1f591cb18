// SPDX-License-Identifier: Apache-2.0
// The two-step baseline: memberships of a model that knows nothing of the label, then multinomial
// logistic regression of the label on them,
//
//   log p(h | row) = a_h + b_h . theta - log sum_h' exp(...)
//
// with theta the row's membership and penalty kTwoStepPenalty / 2 sum_h |b_h|^2. Memberships are
// between 0 and 1 already, so they are not brought to another scale.
#pragma once

#include <cstddef>

#include "medley/data.hpp"
#include "medley/model.hpp"
#include "medley/predict.hpp"

namespace medley::evaluation {

/// Small: it keeps coefficients finite where memberships separate the classes, and does no more.
inline constexpr double kTwoStepPenalty = 0.01;

/// What the regression, learnt from the training rows, says of both sides. Its method is
/// "two-step".
struct TwoStep {
  ClassProbabilities train, test;
};

/// Both data sets must have the model's schema, and a label.
[[nodiscard]] TwoStep two_step(const Model& model, const Dataset& train, const Dataset& test,
                               std::size_t threads);

}  // namespace medley::evaluation
