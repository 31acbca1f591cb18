// SPDX-License-Identifier: Apache-2.0
// Row scores of hand-made models against values from an independent program (ten digits).
#include <gtest/gtest.h>

#include <cmath>

#include "support/em.hpp"
#include "support/exact.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

// Sets p[k][slot] on block b.
void set_table(EmModel& model, std::size_t b, const std::vector<std::vector<double>>& p) {
  families::Family& family = *model.families[b];
  std::vector<double> table(family.parameters().size(), 0.0);
  for (std::size_t k = 0; k < p.size(); ++k) {
    for (std::size_t s = 0; s < p[k].size(); ++s) table[s * family.padded() + k] = p[k][s];
  }
  family.set_parameters(table);
}

void expect_scores(EmModel& model, const Dataset& data, const std::vector<double>& expected) {
  const auto scored = test::score(model, data);
  for (std::size_t row = 0; row < expected.size(); ++row)
    EXPECT_NEAR(scored.bound[row], expected[row], 1e-8) << row;
}

void expect_exact(const EmModel& model, const Dataset& data, const std::vector<double>& alpha,
                  const std::vector<double>& expected) {
  for (std::size_t row = 0; row < expected.size(); ++row) {
    EXPECT_NEAR(test::exact_log_likelihood(test::plain_rows(model, data, row),
                                           test::plain_weights(data, row), alpha),
                expected[row], 1e-7);
  }
}

TEST(Vectors, Lda) {
  const Dataset data = test::dataset(
      {test::token_block("words", {{3, 0, 1, 0}, {0, 2, 2, 5}, {1, 1, 1, 1}, {0, 0, 0, 0}})});
  const std::vector<double> alpha = {0.4, 0.4, 0.4};
  EmModel model = make_model(prepare(data, 1), memberships::mixed_membership,
                             model::usual_inference(memberships::mixed_membership), 3);
  set_table(model, 0, {{0.7, 0.1, 0.1, 0.1}, {0.1, 0.6, 0.2, 0.1}, {0.05, 0.05, 0.3, 0.6}});
  model.membership->set_parameters(alpha);
  expect_scores(model, data, {-5.284132313, -12.23688335, -7.39787176, 0});
  expect_exact(model, data, alpha, {-4.807856801, -11.598697, -6.232362635, 0});
}

TEST(Vectors, TextAndReferences) {
  const Dataset data = test::dataset({test::token_block("words", {{3, 1, 0}, {0, 1, 4}, {2, 0, 2}}),
                                      test::token_block("references", {{1, 0}, {1, 2}, {0, 1}})});
  const auto scored_by = [&](const memberships::MembershipEntry& entry,
                             const model::Inference& mode, const std::vector<double>& prior) {
    EmModel model = make_model(prepare(data, 1), entry, mode, 2);
    set_table(model, 0, {{0.6, 0.3, 0.1}, {0.1, 0.2, 0.7}});
    set_table(model, 1, {{0.9, 0.1}, {0.25, 0.75}});
    model.membership->set_parameters(prior);
    return model;
  };
  const auto& mixed = memberships::mixed_membership;
  const auto& single = memberships::single_membership;
  EmModel standard = scored_by(mixed, model::usual_inference(mixed), {0.3, 0.3});
  expect_scores(standard, data, {-4.010054377, -6.290441766, -6.052657133});
  expect_exact(standard, data, {0.3, 0.3}, {-3.899021146, -6.011670033, -5.481986706});
  EmModel fast = scored_by(mixed, *model::find_inference("fast"), {0.3, 0.3});
  expect_scores(fast, data, {-4.011635638, -6.308275048, -6.761344871});
  EmModel classes = scored_by(single, model::usual_inference(single), {0.5, 0.5});
  expect_scores(classes, data, {-3.5341004, -5.690903392, -6.205896158});
}

// Posteriors of the topics: lambda = ((3, 1, 1, .5), (.5, 2, 1, 3)), prior 0.1 each.
TEST(Vectors, OnlineLda) {
  const Dataset data = test::dataset(
      {test::token_block("words", {{3, 0, 1, 0}, {0, 2, 2, 5}, {1, 1, 1, 1}, {0, 0, 0, 0}})});
  EmModel model = make_model(prepare(data, 1), memberships::mixed_membership,
                             model::usual_inference(memberships::mixed_membership), 2);
  model.smoothing = {0.1, 0, true};
  set_table(model, 0,
            {{3 / 5.5, 1 / 5.5, 1 / 5.5, 0.5 / 5.5}, {0.5 / 6.5, 2 / 6.5, 1 / 6.5, 3 / 6.5}});
  std::vector<double> totals(model.families[0]->padded(), 0.0);
  totals[0] = 5.5;
  totals[1] = 6.5;
  model.families[0]->set_strengths(totals);
  model.membership->set_parameters(std::vector<double>{0.5, 0.5});
  double elbo = model.log_prior();
  for (const double bound : test::score(model, data).bound) elbo += bound;
  EXPECT_NEAR(elbo, -34.1232866779, 1e-9);
}

// Sets the own parameters of the one column of block b: values[parameter][k].
void set_numbers(EmModel& model, std::size_t b, const std::vector<std::vector<double>>& values) {
  families::Family& family = *model.families[b];
  std::vector<double> table(family.parameters().begin(), family.parameters().end());
  for (std::size_t r = 0; r < values.size(); ++r)
    std::copy(values[r].begin(), values[r].end(), &table[r * family.padded()]);
  family.set_parameters(table);
}

// A number, a yes/no, a category and a count in one row, with missing cells. The last two rows have
// no label: their values are the printed ones; the others are of the oracle without its label.
TEST(Vectors, MixedColumns) {
  const double missing = std::nan("");
  const Dataset data =
      test::dataset({test::real_block("gaussian", {{0.3}, {2.9}, {missing}, {1.5}, {missing}}, 1),
                     test::level_block("bernoulli", {{0}, {1}, {1}, {-1}, {-1}}, {2}),
                     test::level_block("categorical", {{0}, {2}, {1}, {2}, {-1}}, {3}),
                     test::real_block("poisson", {{1}, {6}, {missing}, {2}, {missing}}, 1)});
  const auto with = [&](const memberships::MembershipEntry& entry, const model::Inference& mode,
                        const std::vector<double>& prior) {
    EmModel model = make_model(prepare(data, 1), entry, mode, 2);
    set_numbers(model, 0, {{0, 3}, {1, 2}});
    set_table(model, 1, {{0.8, 0.2}, {0.1, 0.9}});
    set_table(model, 2, {{0.6, 0.3, 0.1}, {0.1, 0.2, 0.7}});
    set_numbers(model, 3, {{1, 5}});
    model.membership->set_parameters(prior);
    return model;
  };
  const auto& mixed = memberships::mixed_membership;
  const auto& single = memberships::single_membership;
  EmModel standard = with(mixed, model::usual_inference(mixed), {0.5, 0.8});
  expect_scores(standard, data,
                {-4.51374853437, -4.65812837368, -2.30172234694, -5.33730437448, 0});
  expect_exact(standard, data, {0.5, 0.8},
               {-4.43934405114, -4.61840089023, -1.94343829023, -4.85988072044, 0});
  EmModel fast = with(mixed, *model::find_inference("fast"), {0.5, 0.8});
  expect_scores(fast, data, {-4.51492971024, -4.66605436741, -2.35907221199, -5.45021744153, 0});
  EmModel classes = with(single, model::usual_inference(single), {0.5 / 1.3, 0.8 / 1.3});
  expect_scores(classes, data, {-3.65305430012, -4.13817766964, -2.01106424424, -4.9985280845, 0});

  // With the labels no, yes, maybe of the first three rows, all printed.
  const std::vector<std::int32_t> label = {0, 2, 1, -1, -1};
  const auto expect_labelled = [&](EmModel& model, heads::Bound bound,
                                   const std::vector<double>& expected) {
    model.head = std::make_unique<heads::Softmax>(2, 3, bound, 1, 0);
    model.head->set_eta(std::vector<double>{1.0, -2.0, 0.2, 0.1, 0, 0});
    const auto scored = test::score(model, data, 1, label);
    for (std::size_t row = 0; row < expected.size(); ++row)
      EXPECT_NEAR(scored.bound[row], expected[row], 2e-9) << row;
    return scored;
  };
  const auto scored = expect_labelled(standard, heads::Bound::paper,
                                      {-5.134977114, -5.468308972, -3.080388858, -5.337304374, 0});
  EXPECT_NEAR(scored.share[0], 4.472485679, 2e-8);  // gamma
  EXPECT_NEAR(scored.share[1], 0.8275143206, 2e-8);
  expect_labelled(fast, heads::Bound::paper,
                  {-5.135586852, -5.474111229, -3.106757842, -5.450217442, 0});
  expect_labelled(classes, heads::Bound::lse,
                  {-4.250680578, -4.944880294, -2.807676554, -4.998528084, 0});
}

TEST(Vectors, GradeOfMembershipPatterns) {
  const std::vector<std::vector<int>> patterns = {{0, 0, 0}, {1, 1, 1}, {1, 0, 1}, {1, 0, 0}};
  const Dataset data = test::dataset({test::level_block("bernoulli", patterns, {2, 2, 2})});
  const std::vector<double> alpha = {0.3, 0.4, 0.2};
  EmModel model = make_model(prepare(data, 1), memberships::mixed_membership,
                             model::usual_inference(memberships::mixed_membership), 3);
  set_table(model, 0,
            {{0.95, 0.05, 0.9, 0.1, 0.98, 0.02},
             {0.4, 0.6, 0.8, 0.2, 0.3, 0.7},
             {0.1, 0.9, 0.05, 0.95, 0.2, 0.8}});
  model.membership->set_parameters(alpha);
  const std::vector<double> expected_counts = {1.76307, 0.962464, 1.11015, 0.836341};
  for (std::size_t row = 0; row < 4; ++row) {
    const double p =
        std::exp(test::exact_log_likelihood(test::plain_rows(model, data, row), {1, 1, 1}, alpha));
    EXPECT_NEAR(7 * p, expected_counts[row], 1e-5 * expected_counts[row] + 5e-6);
  }
}

}  // namespace
}  // namespace medley::engines
