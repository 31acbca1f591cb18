// SPDX-License-Identifier: Apache-2.0
// The E-step of one row: both precisions agree, and responsibilities always add up to the weights.
#include "model/row_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <span>

#include "math/logs.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::model {
namespace {

using engines::EmModel;
using memberships::Pooling;

// A solver with what it leans on.
struct Solver {
  Solver(EmModel& model, const Dataset& data) {
    for (auto& family : model.families) {
      family->prepare(true);
      families.push_back(family.get());
    }
    solver = std::make_unique<RowSolver>(
        EStepModel{families, model.membership.get(), model.inference}, data);
  }
  std::vector<const families::Family*> families;
  std::unique_ptr<RowSolver> solver;
};

// The responsibilities of every cell of a row of one block: cells x K, summed from what the solver
// hands to the families.
std::vector<std::vector<double>> responsibilities(const Solver& s, const EmModel& model,
                                                  const Dataset& data, std::size_t b,
                                                  std::size_t row, double row_weight) {
  const Block& block = data.blocks[b];
  const families::Family& family = *model.families[b];
  const std::size_t width = family.padded();
  const std::size_t begin = block.row_start[row];
  const std::size_t count = block.row_start[row + 1] - begin;
  std::vector<double> vector(width), coefficient(count), scaled(count * width);
  s.solver->write_vector(vector.data());
  s.solver->write_coefficients(b, row_weight, coefficient.data());
  family.likelihood_rows(block, row, scaled.data());
  std::vector<std::vector<double>> result(count, std::vector<double>(family.components()));
  for (std::size_t o = 0; o < count; ++o) {
    for (std::size_t k = 0; k < family.components(); ++k) {
      result[o][k] =
          coefficient[o] * vector[k] * (!model.rows().pooled() ? scaled[o * width + k] : 1.0);
    }
  }
  std::vector<families::ExceptionalCell> exceptions;
  s.solver->append_exceptions(b, row_weight, exceptions);
  for (const auto& e : exceptions) {
    EXPECT_GE(e.cell, begin);
    EXPECT_EQ(coefficient[e.cell - begin], 0.0);
    for (std::size_t k = 0; k < family.components(); ++k)
      result[e.cell - begin][k] += e.responsibility[k];
  }
  return result;
}

void expect_sums_to_weights(const Solver& s, const EmModel& model, const Dataset& data,
                            std::size_t row) {
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const auto r = responsibilities(s, model, data, b, row, 2.5);
    for (std::size_t o = 0; o < r.size(); ++o) {
      const double sum = std::accumulate(r[o].begin(), r[o].end(), 0.0);
      const auto weight =
          static_cast<double>(data.blocks[b].weight_of(data.blocks[b].row_start[row] + o));
      EXPECT_NEAR(sum, 2.5 * weight, 1e-9 * weight) << "block " << b << " cell " << o;
    }
  }
}

template <class Body>
void for_each_model(const Body& body) {
  for (const auto* entry : memberships::registry()) {
    for (const model::Inference* mode : model::offered(*entry)) {
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        SCOPED_TRACE(std::string(entry->name) + " " + mode->name + ", seed " +
                     std::to_string(seed));
        const Dataset data =
            test::dataset({test::random_block(families::categorical_family, 30, seed, 0.3),
                           test::random_block(families::tokens_family, 30, seed + 1, 0.3)});
        EmModel model = engines::make_model(engines::prepare(data, 1), *entry, *mode, 3);
        test::randomise(model, data, seed);
        body(model, data);
      }
    }
  }
}

TEST(RowSolver, TrainingAndScorePrecisionAgree) {
  for_each_model([](EmModel& model, const Dataset& data) {
    const Solver s(model, data);
    std::vector<double> quick(model.membership->state_size()), careful, one(3), other(3);
    for (std::size_t row = 0; row < data.rows; ++row) {
      model.membership->start(data.observed(row), quick);
      careful = quick;
      const double a = s.solver->solve(row, {1e-7, 5000}, Precision::training, quick);
      const double b = s.solver->solve(row, kScoreLimits, Precision::score, careful);
      EXPECT_NEAR(a, b, 1e-4 * (1 + std::abs(b)));
      model.membership->shares(quick, one);
      model.membership->shares(careful, other);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(one[k], other[k], 1e-4) << row;
    }
  });
}

TEST(RowSolver, ResponsibilitiesOfEveryCellSumToItsWeight) {
  for_each_model([](EmModel& model, const Dataset& data) {
    const Solver s(model, data);
    std::vector<double> state(model.membership->state_size());
    for (const Precision precision : {Precision::training, Precision::score}) {
      for (std::size_t row = 0; row < data.rows; ++row) {
        model.membership->start(data.observed(row), state);
        s.solver->solve(row, {}, precision, state);
        EXPECT_NEAR(s.solver->observed(), data.observed(row), 1e-9);
        expect_sums_to_weights(s, model, data, row);
      }
    }
  });
}

// Likelihood rows in float: what training says of a row against the careful score in double, which
// never sees them.
TEST(RowSolver, RowsInFloatChangeNoMoreThanTheirRounding) {
  const Dataset data = test::dataset({test::large_token_block(30, 4)});
  const auto& mixed = memberships::mixed_membership;
  EmModel model =
      engines::make_model(engines::prepare(data, 1), mixed, model::usual_inference(mixed), 40);
  test::randomise(model, data, 4, 0.2);
  const Solver s(model, data);
  ASSERT_TRUE(narrow({s.families, model.membership.get(), model.inference}));
  const families::Family& family = *model.families[0];
  const std::size_t width = family.padded();
  std::vector<double> state(40), same, mean(40);
  for (std::size_t row = 0; row < data.rows; ++row) {
    model.membership->start(data.observed(row), state);
    const double careful = s.solver->solve(row, kScoreLimits, Precision::score, state);
    same = state;
    const double bound = s.solver->solve(row, {1e-3, 1}, Precision::training, same);
    EXPECT_NEAR(bound, careful, 2e-7 * std::abs(careful));
    // The responsibilities from what the families get sum to the weights.
    const std::size_t begin = data.blocks[0].row_start[row];
    const std::size_t count = data.blocks[0].row_start[row + 1] - begin;
    std::vector<float> vector(width), rows(count * width);
    std::vector<double> coefficient(count), total(40);
    s.solver->write_vector(vector.data());
    s.solver->write_coefficients(0, 1, coefficient.data());
    family.float_rows()->float_rows(data.blocks[0], row, rows.data());
    for (std::size_t o = 0; o < count; ++o) {
      double sum = 0;
      for (std::size_t k = 0; k < 40; ++k) {
        const double r = coefficient[o] * double{vector[k]} * double{rows[o * width + k]};
        sum += r;
        total[k] += r;
      }
      EXPECT_NEAR(sum, data.blocks[0].weight_of(begin + o), 1e-12);
    }
    s.solver->write_mean(mean);
    for (std::size_t k = 0; k < 40; ++k) EXPECT_NEAR(mean[k] * data.observed(row), total[k], 1e-10);
  }
}

TEST(RowSolver, ResponsibilitiesAreBayesRuleAtTheFinalWeights) {
  for_each_model([](EmModel& model, const Dataset& data) {
    if (model.rows().pooled()) return;
    const Solver s(model, data);
    std::vector<double> state(model.membership->state_size());
    model.membership->start(data.observed(0), state);
    s.solver->solve(0, kScoreLimits, Precision::score, state);
    const auto plain = test::plain_rows(model, data, 0);
    std::size_t place = 0;
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      for (const auto& r : responsibilities(s, model, data, b, 0, 1.0)) {
        double total = 0, sum = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          total += plain[place][k] * std::exp(s.solver->log_weights()[k]);
          sum += r[k];
        }
        for (std::size_t k = 0; k < 3; ++k) {
          const double phi = plain[place][k] * std::exp(s.solver->log_weights()[k]) / total;
          EXPECT_NEAR(r[k] / sum, phi, 1e-9);
        }
        ++place;
      }
    }
  });
}

// Nine cells say component 0, and a tenth of little weight says component 1 with odds beyond the
// range of a float. With a tiny alpha that cell cannot hold its component alive, and is left to one
// that hardly explains it.
Dataset contradicting() {
  const std::vector<std::vector<int>> codes = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
                                               {1, 1, 1, 1, 1, 1, 1, 1, 1, 0}};
  Block block = test::level_block("bernoulli", codes, std::vector<std::size_t>(10, 2));
  block.weight.assign(20, 1.0F);
  block.weight[9] = block.weight[19] = 0.01F;
  return test::dataset({block});
}

// The row's bound by its definition, all in log space.
double plain_bound(const EmModel& model, const Dataset& data, std::size_t row,
                   std::span<const double> state) {
  std::vector<double> log_weights(model.membership->components());
  double bound = model.membership->log_weights(state, log_weights);
  const auto rows = test::plain_rows(model, data, row);
  for (std::size_t o = 0; o < rows.size(); ++o) {
    std::vector<double> terms(log_weights.size());
    for (std::size_t k = 0; k < terms.size(); ++k) terms[k] = log_weights[k] + std::log(rows[o][k]);
    bound += static_cast<double>(data.blocks[0].weight[data.blocks[0].row_start[row] + o]) *
             math::log_sum_exp(terms);
  }
  return bound;
}

TEST(RowSolver, ResponsibilitiesSumToTheWeightsWhereNormalisersUnderflow) {
  const Dataset data = contradicting();
  std::size_t exceptional = 0;
  for (const auto* entry : memberships::registry()) {
    for (const model::Inference* mode : model::offered(*entry)) {
      EmModel model = engines::make_model(engines::prepare(data, 1), *entry, *mode, 2);
      const std::size_t width = model.families[0]->padded();
      std::vector<double> parameters(model.families[0]->parameters().size(), 0.0);
      for (std::size_t slot = 0; slot < 20; ++slot) {
        parameters[slot * width + slot % 2] = 1.0;
        parameters[slot * width + 1 - slot % 2] = 1e-30;
      }
      model.families[0]->set_parameters(parameters);
      const std::vector<double> tiny = {1e-4, 1e-4}, halves = {0.5, 0.5};
      if (!entry->counts) model.membership->set_parameters(entry->sole ? halves : tiny);
      const Solver s(model, data);
      std::vector<double> state(model.membership->state_size());
      for (const Precision precision : {Precision::training, Precision::score}) {
        for (std::size_t row = 0; row < 2; ++row) {
          model.membership->start(data.observed(row), state);
          const double bound = s.solver->solve(row, {1e-6, 50}, precision, state);
          EXPECT_TRUE(std::isfinite(bound));
          if (!row_method(*mode, *entry).pooled()) {
            const double constant = model.membership->constant(data.observed(row));
            EXPECT_NEAR(bound, plain_bound(model, data, row, state) - constant, 1e-9);
          }
          expect_sums_to_weights(s, model, data, row);
          std::vector<families::ExceptionalCell> exceptions;
          s.solver->append_exceptions(0, 1.0, exceptions);
          exceptional += exceptions.size();
        }
      }
    }
  }
  EXPECT_GT(exceptional, 0U);  // the case is what it says
}

TEST(RowSolver, ARowWithNothingObservedGivesNothingToTheTables) {
  const Dataset data = test::dataset({test::level_block("bernoulli", {{-1}, {1}}, {2})});
  for (const auto* entry : memberships::registry()) {
    EmModel model =
        engines::make_model(engines::prepare(data, 1), *entry, model::usual_inference(*entry), 2);
    const Solver s(model, data);
    std::vector<double> state(model.membership->state_size(), 7), start = state;
    std::vector<double> vector(model.families[0]->padded(), 1.0);
    const double bound = s.solver->solve(0, {}, Precision::training, state);
    if (!entry->counts) {
      EXPECT_EQ(bound, 0.0);
    }
    model.membership->start(0, start);
    EXPECT_EQ(state, start);
    s.solver->write_vector(vector.data());
    for (const double v : vector) EXPECT_EQ(v, 0.0);
  }
}

}  // namespace
}  // namespace medley::model
