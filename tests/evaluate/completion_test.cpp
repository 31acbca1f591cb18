// SPDX-License-Identifier: Apache-2.0
#include "evaluate/estimators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "medley/fit.hpp"
#include "model/exact_rows.hpp"
#include "model/model.hpp"
#include "model/model_on_data.hpp"
#include "support/files.hpp"
#include "support/toy.hpp"

namespace medley::evaluation {
namespace {

TEST(Deal, EveryObservationIsInOnePart) {
  const Dataset data = test::dataset({test::random_block(*families::find("tokens"), 30, 3, 0.2),
                                      test::random_block(*families::find("gaussian"), 30, 4, 0.2)});
  const auto parts = deal(data, 3, 1);
  double smallest = 1e9;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    std::vector<double> whole(data.blocks[b].slots(), 0.0), dealt = whole;
    for (std::size_t c = 0; c < data.blocks[b].cells(); ++c)
      whole[data.blocks[b].slot[c]] += static_cast<double>(data.blocks[b].weight_of(c));
    for (const Dataset& part : parts) {
      double total = 0;
      for (std::size_t c = 0; c < part.blocks[b].cells(); ++c) {
        dealt[part.blocks[b].slot[c]] += static_cast<double>(part.blocks[b].weight_of(c));
        total += static_cast<double>(part.blocks[b].weight_of(c));
      }
      smallest = std::min(smallest, total);
    }
    EXPECT_EQ(dealt, whole);
  }
  EXPECT_GT(smallest, 10);  // no part is left out
  for (std::size_t row = 0; row < data.rows; ++row) {
    double sum = 0;
    for (const Dataset& part : parts) sum += part.observed(row);
    EXPECT_EQ(sum, data.observed(row));
  }
}

Evaluation score(const Model& model, const Dataset& data, bool threefold, const char* estimator) {
  EvaluateOptions options;
  options.estimator = estimator;
  options.threefold = threefold;
  return evaluate(model, data, options);
}

// With one component nothing is learnt from the rest of a row, so the parts add up to the whole.
TEST(Completion, OfOneComponentInThreePartsIsTheLikelihood) {
  const Dataset data = test::read_file("c.ldac", test::corpus_ldac(40));
  FitOptions options;
  options.components = 1;
  const Model model = fit(data, options);
  const Evaluation parts = score(model, data, true, "completion");
  const Evaluation whole = score(model, data, true, "bound");
  EXPECT_NEAR(parts.log_likelihood, whole.log_likelihood, 1e-8);
  EXPECT_EQ(parts.observations, whole.observations);
  const Evaluation half = score(model, data, false, "completion");
  EXPECT_LT(half.observations, 0.6 * whole.observations);
  EXPECT_NEAR(half.log_likelihood, half.baseline, 1e-8);
}

// The half that is scored must not be seen: the same by hand, with memberships of the other half.
TEST(Completion, OfAHalfUsesTheOtherHalfAlone) {
  const Dataset data = test::read_file("c.ldac", test::corpus_ldac(30));
  FitOptions options;
  options.components = 2;
  const Model model = fit(data, options);
  const auto parts = deal(data, 2, 1);
  const model::ModelOnData on_data(model, parts[1]);
  const Memberships shares{2, model::score_exactly(on_data.estep(), parts[1], 1).share};
  const model::ModelBlock& words = model.parts().blocks.front();
  double expected = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (data.observed(row) < 2) continue;
    const Block& tested = parts[0].blocks.front();
    for (std::uint64_t c = tested.row_start[row]; c < tested.row_start[row + 1]; ++c) {
      double p = 0;
      for (std::size_t k = 0; k < 2; ++k)
        p += shares.row(row)[k] * words.probability(tested.slot[c], k);
      expected += static_cast<double>(tested.weight_of(c)) * std::log(p);
    }
  }
  EXPECT_NEAR(score(model, data, false, "completion").log_likelihood, expected, 1e-8);
}

// Two kinds of documents: having seen a part of one, the rest is easier to tell.
TEST(Completion, LearnsFromTheRestOfTheRow) {
  const Dataset data = test::read_file("c.ldac", test::corpus_ldac(60));
  FitOptions options;
  options.components = 2;
  const Evaluation e = score(fit(data, options), data, false, "completion");
  EXPECT_EQ(e.estimator, Estimator::completion);
  EXPECT_GT(e.log_likelihood, e.baseline + 0.05 * e.observations);
}

}  // namespace
}  // namespace medley::evaluation
