// SPDX-License-Identifier: Apache-2.0
#include "evaluate/two_step.hpp"

#include <cmath>
#include <span>

#include "math/logistic_regression.hpp"
#include "medley/evaluate.hpp"

namespace medley::evaluation {
namespace {

ClassProbabilities predicted(const math::LogisticRegression& regression, const Memberships& rows,
                             const KeptColumn& label) {
  ClassProbabilities out;
  out.column = label.name;
  out.classes = label.levels;
  out.method = "two-step";
  out.probability.resize(rows.rows() * label.levels.size());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::span<double> row =
        std::span(out.probability).subspan(i * label.levels.size(), label.levels.size());
    regression.log_probabilities({rows.row(i), rows.components}, row);
    for (double& p : row) p = std::exp(p);
  }
  return out;
}

}  // namespace

TwoStep two_step(const Model& model, const Dataset& train, const Dataset& test,
                 std::size_t threads) {
  const Memberships learnt = transform(model, train, threads);
  const KeptColumn& label = *train.label();
  math::LogisticRows rows;
  rows.features = learnt.components;
  rows.classes = label.levels.size();
  rows.x = learnt.share;
  rows.label = label.code;
  rows.weight = train.row_weight;
  const math::LogisticRegression regression = math::fit_logistic(rows, kTwoStepPenalty);
  return {predicted(regression, learnt, label),
          predicted(regression, transform(model, test, threads), *test.label())};
}

}  // namespace medley::evaluation
