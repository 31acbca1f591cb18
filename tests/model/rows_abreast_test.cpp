// SPDX-License-Identifier: Apache-2.0
// Rows that settle abreast end where each ends alone, in double.
#include "model/row_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::model {
namespace {

using engines::EmModel;
using kernels::kAbreast;

struct Rows {
  Rows(const Dataset& from, const memberships::MembershipEntry& entry, std::size_t components)
      : data(from),
        model(engines::make_model(engines::prepare(data, 1), entry, model::usual_inference(entry),
                                  components)) {
    test::randomise(model, data, 4);
    for (auto& family : model.families) {
      family->prepare(true);
      families.push_back(family.get());
    }
    components_ = components;
    states.resize(data.rows * components);
    for (std::size_t row = 0; row < data.rows; ++row)
      model.membership->start(data.observed(row), state(row));
  }
  [[nodiscard]] EStepModel parts() const {
    return {families, model.membership.get(), model.inference};
  }
  std::span<double> state(std::size_t row) {
    return std::span(states).subspan(row * components_, components_);
  }
  // All rows, in groups; how many settled.
  std::size_t settle(const memberships::Limits& limits) {
    LaneRowSolver abreast(parts(), data);
    std::size_t many = 0;
    for (std::size_t first = 0; first < data.rows; first += kAbreast) {
      const auto some =
          abreast.settle(first, std::min(data.rows, first + kAbreast), limits, states);
      for (const std::size_t left : some) settled.push_back(left == 0);
      many += static_cast<std::size_t>(std::count(some.begin(), some.end(), 0U));
    }
    return many;
  }

  const Dataset& data;
  EmModel model;
  std::vector<const families::Family*> families;
  std::vector<double> states;
  std::vector<bool> settled;
  std::size_t components_;
};

Dataset answers_and_words(double missing) {
  return test::dataset({test::random_block(families::categorical_family, 45, 1, missing),
                        test::random_block(families::tokens_family, 45, 2, missing)});
}

void expect_where_rows_end_alone(const Dataset& data, const memberships::MembershipEntry& entry,
                                 std::size_t components) {
  SCOPED_TRACE(std::string(entry.name) + ", K " + std::to_string(components));
  Rows rows(data, entry, components);
  ASSERT_TRUE(LaneRowSolver::suit(rows.parts()));
  EXPECT_GT(rows.settle({1e-6, 2000}), data.rows / 2);
  RowSolver alone(rows.parts(), data);
  std::vector<double> careful(components), one(components), other(components);
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (!rows.settled[row]) continue;
    rows.model.membership->start(data.observed(row), careful);
    const double bound = alone.solve(row, kScoreLimits, Precision::score, careful);
    EXPECT_NEAR(alone.evaluate_bound(row, rows.state(row)), bound, 1e-4 * (1 + std::abs(bound)));
    rows.model.membership->shares(rows.state(row), one);
    rows.model.membership->shares(careful, other);
    for (std::size_t k = 0; k < components; ++k) EXPECT_NEAR(one[k], other[k], 2e-4) << row;
  }
}

TEST(LaneRowSolver, EndWhereTheyEndAlone) {
  for (const auto* entry : {&memberships::mixed_membership, &memberships::gamma_membership}) {
    for (const std::size_t components : {2U, 3U, 9U, 16U})
      expect_where_rows_end_alone(answers_and_words(0.1), *entry, components);
  }
}

TEST(LaneRowSolver, ARowWithNothingObservedIsLeftAlone) {
  std::vector<std::vector<int>> codes(9, {1, 0});
  codes[4] = {-1, -1};
  const Dataset data = test::dataset({test::level_block("bernoulli", codes, {2, 2})});
  Rows rows(data, memberships::mixed_membership, 2);
  rows.settle({1e-6, 2000});
  EXPECT_FALSE(rows.settled[4]);
  EXPECT_TRUE(rows.settled[3]);
}

// Nothing is lost where lengths differ so much that lanes would be empty.
TEST(LaneRowSolver, RowsOfVeryDifferentLengthAreLeftAlone) {
  std::vector<std::vector<int>> counts(8, std::vector<int>(40, 0));
  for (auto& row : counts) row[0] = 1;
  counts[3].assign(40, 2);
  const Dataset data = test::dataset({test::token_block("words", counts)});
  Rows rows(data, memberships::mixed_membership, 3);
  const std::vector<double> before = rows.states;
  EXPECT_EQ(rows.settle({1e-6, 100}), 0U);
  EXPECT_EQ(rows.states, before);
}

// Nine cells of row 2 say component 0, and one of little weight says component 1 with odds beyond
// the range of a float: with a tiny alpha its normaliser underflows.
TEST(LaneRowSolver, AnUnderflowLeavesTheStateAsItWas) {
  std::vector<std::vector<int>> codes(8, std::vector<int>(10, 0));
  codes[2][9] = 1;
  Block block = test::level_block("bernoulli", codes, std::vector<std::size_t>(10, 2));
  block.weight.assign(80, 1.0F);
  block.weight[29] = 0.01F;
  const Dataset data = test::dataset({block});
  Rows rows(data, memberships::mixed_membership, 2);
  const std::size_t width = rows.model.families[0]->padded();
  std::vector<double> parameters(rows.model.families[0]->parameters().size(), 0.0);
  for (std::size_t slot = 0; slot < 20; ++slot) {
    parameters[slot * width + slot % 2] = 1.0;
    parameters[slot * width + 1 - slot % 2] = 1e-30;
  }
  rows.model.families[0]->set_parameters(parameters);
  rows.model.families[0]->prepare(true);
  rows.model.membership->set_parameters(std::vector<double>{1e-4, 1e-4});
  for (std::size_t row = 0; row < 8; ++row)
    rows.model.membership->start(data.observed(row), rows.state(row));
  const std::vector<double> before(rows.state(2).begin(), rows.state(2).end());
  rows.settle({1e-6, 50});
  EXPECT_FALSE(rows.settled[2]);
  EXPECT_TRUE(std::ranges::equal(rows.state(2), before));
  EXPECT_TRUE(rows.settled[0]);
}

TEST(LaneRowSolver, SuitFewComponentsAndCellsOnly) {
  const Dataset data = answers_and_words(0.0);
  const auto& mixed = memberships::mixed_membership;
  EXPECT_FALSE(LaneRowSolver::suit(Rows(data, mixed, 17).parts()));
  EXPECT_FALSE(LaneRowSolver::suit(Rows(data, memberships::single_membership, 3).parts()));
  Rows fast(data, mixed, 3);
  EStepModel parts = fast.parts();
  parts.inference = model::find_inference("fast");
  EXPECT_FALSE(LaneRowSolver::suit(parts));
}

}  // namespace
}  // namespace medley::model
