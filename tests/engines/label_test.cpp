// SPDX-License-Identifier: Apache-2.0
// A label in EM: what it adds to rows and to the bound, that the bound holds and never falls, and
// that the head is learnt.
#include <gtest/gtest.h>

#include <cmath>

#include "engines/fit_head.hpp"
#include "engines/starts.hpp"
#include "support/all_assignments.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

struct Mode {
  const memberships::MembershipEntry* membership;
  const model::Inference* mode;
};

std::vector<Mode> modes() {
  std::vector<Mode> out;
  for (const auto* membership : memberships::registry()) {
    if (membership->counts) continue;  // no labels
    for (const model::Inference* mode : model::offered(*membership))
      if (test::by_variation(*mode, *membership)) out.push_back({membership, mode});
  }
  return out;
}

Dataset some_data(std::size_t rows, std::uint64_t seed = 3) {
  return test::dataset({test::random_block(families::gaussian_family, rows, seed, 0.2),
                        test::random_block(families::categorical_family, rows, seed + 1, 0.3)});
}

// Class i mod 3; every seventh row has none.
std::vector<std::int32_t> some_labels(std::size_t rows) {
  std::vector<std::int32_t> out(rows);
  for (std::size_t row = 0; row < rows; ++row)
    out[row] = row % 7 == 6 ? -1 : static_cast<std::int32_t>(row % 3);
  return out;
}

EmModel some_model(const EmData& data, const Mode& m, std::size_t components) {
  EmModel model = make_model(data, *m.membership, *m.mode, components);
  model.smoothing = 0.01;
  return model;
}

std::unique_ptr<heads::Softmax> head(std::size_t components, heads::Bound bound,
                                     double weight = 1) {
  return std::make_unique<heads::Softmax>(components, 3, bound, weight, 0.1);
}

// A label that counts nothing adds an offset of zero: rows, tables and prior are those without a
// head, bit for bit. So many components that rows settle alone either way (decision 0022).
TEST(Label, ZeroOffsetChangesNoBit) {
  constexpr std::size_t kComponents = 17;
  const Dataset data = some_data(60);
  const auto label = some_labels(data.rows);
  for (const Mode& m : modes()) {
    EmData prepared = prepare(data, 1);
    prepared.label = label;
    VariationalEm without(prepared, some_model(prepared, m, kComponents));
    VariationalEm with(prepared, some_model(prepared, m, kComponents));
    for (VariationalEm* em : {&without, &with})
      em->start_from(random_rows(data, kComponents, {1, 0}));
    with.model().head = head(kComponents, heads::Bound::lse, 0.0);
    std::vector<double> eta = {2, -1, 0, 3, 1, 1, -2};
    eta.resize(3 * kComponents);
    with.model().head->set_eta(eta);
    for (int i = 0; i < 3; ++i) {
      without.iterate();
      with.iterate();
      EXPECT_EQ(without.states(), with.states());
    }
    for (std::size_t b = 0; b < 2; ++b)
      EXPECT_TRUE(std::ranges::equal(without.model().families[b]->parameters(),
                                     with.model().families[b]->parameters()));
  }
}

TEST(Label, PenalisedBoundNeverFalls) {
  Dataset data = some_data(120);
  data.row_weight.assign(data.rows, 1.0);
  for (std::size_t row = 0; row < data.rows; ++row)
    data.row_weight[row] = 0.5 + static_cast<double>(row % 3);
  const auto label = some_labels(data.rows);
  EmData prepared = prepare(data, 1);
  prepared.label = label;
  for (const Mode& m : modes()) {
    for (const heads::Bound bound : {heads::Bound::lse, heads::Bound::paper}) {
      if (bound == heads::Bound::paper && m.membership->sole) continue;
      for (const double weight : {0.5, 1.0, 6.0}) {
        VariationalEm em(prepared, some_model(prepared, m, 5));
        em.start_from(random_rows(data, 5, {2, 0}));
        em.model().head = head(5, bound, weight);
        head_from_shares(prepared, random_rows(data, 5, {2, 0}), kernels::padded(5),
                         *em.model().head);
        double before = em.iterate();
        for (int i = 0; i < 40; ++i) {
          const double after = em.iterate();
          EXPECT_GE(after, before - 1e-9 * std::abs(before))
              << m.membership->name << " " << m.mode->name << " weight " << weight << " step " << i;
          before = after;
        }
      }
    }
  }
}

// log p(x, y) = log sum_z p(x, z) softmax_y(eta zbar), every assignment z added up.
double log_joint(const std::vector<std::vector<double>>& l, const std::vector<double>& alpha,
                 const heads::Softmax& head, std::size_t y) {
  const test::AllAssignments all = test::all_assignments(l, alpha);
  double sum = 0;
  for (const auto& [n, p] : all.counts) {
    double own = 0, norm = 0;
    for (std::size_t h = 0; h < head.classes(); ++h) {
      double score = 0;
      for (std::size_t k = 0; k < alpha.size(); ++k)
        score += head.eta()[h * alpha.size() + k] * n[k] / static_cast<double>(l.size());
      norm += std::exp(score);
      if (h == y) own = std::exp(score);
    }
    sum += p * own / norm;
  }
  return all.log_p + std::log(sum);
}

TEST(Label, BoundIsBelowTheJointLikelihood) {
  const Dataset data = some_data(12, 8);
  const auto label = some_labels(data.rows);
  const auto& mixed = memberships::mixed_membership;
  const std::vector<double> alpha = {0.4, 0.7, 0.3};
  double tightest = -1e300;
  for (const char* mode : {"standard", "fast"}) {
    for (const heads::Bound bound : {heads::Bound::lse, heads::Bound::paper}) {
      EmModel model = make_model(prepare(data, 1), mixed, *model::find_inference(mode), 3);
      test::randomise(model, data, 5);
      model.membership->set_parameters(alpha);
      model.head = head(3, bound);
      model.head->set_eta(std::vector<double>{2, -1, 0.5, -1.5, 1, 0, 0, 0, 0});
      const auto scored = test::score(model, data, 1, label);
      for (std::size_t row = 0; row < data.rows; ++row) {
        if (label[row] < 0 || data.observed(row) == 0) continue;
        const double exact = log_joint(test::plain_rows(model, data, row), alpha, *model.head,
                                       static_cast<std::size_t>(label[row]));
        EXPECT_LE(scored.bound[row], exact + 1e-9) << mode << " row " << row;
        tightest = std::max(tightest, scored.bound[row] - exact);
      }
    }
  }
  EXPECT_GT(tightest, -1.0);  // some row comes close: the bound is no loose thing
}

// Single membership: the bound is log p(x, y) itself.
TEST(Label, IsExactForSingleMembership) {
  const Dataset data = some_data(20, 9);
  const auto label = some_labels(data.rows);
  const auto& single = memberships::single_membership;
  EmModel model = make_model(prepare(data, 1), single, model::usual_inference(single), 3);
  test::randomise(model, data, 5);
  const std::vector<double> pi = {0.2, 0.5, 0.3};
  model.membership->set_parameters(pi);
  model.head = head(3, heads::Bound::lse);
  model.head->set_eta(std::vector<double>{2, -1, 0.5, -1.5, 1, 0, 0, 0, 0});
  const auto scored = test::score(model, data, 1, label);
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (data.observed(row) == 0) continue;
    double p = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      double joint = pi[k];
      for (const auto& cell : test::plain_rows(model, data, row)) joint *= cell[k];
      if (label[row] >= 0) {
        double norm = 0;
        for (std::size_t h = 0; h < 3; ++h) norm += std::exp(model.head->eta()[h * 3 + k]);
        joint *= std::exp(model.head->eta()[static_cast<std::size_t>(label[row]) * 3 + k]) / norm;
      }
      p += joint;
    }
    EXPECT_NEAR(scored.bound[row], std::log(p), 1e-9) << row;
  }
}

// phibar, from what the solver says of every cell.
TEST(Label, MeanResponsibilitiesAreThoseOfTheCells) {
  const Dataset data = some_data(30, 11);
  const auto label = some_labels(data.rows);
  const auto& mixed = memberships::mixed_membership;
  for (const char* mode : {"standard", "fast"}) {
    EmModel model = make_model(prepare(data, 1), mixed, *model::find_inference(mode), 3);
    test::randomise(model, data, 6);
    model.membership->set_parameters(std::vector<double>{0.4, 0.7, 0.3});
    model.head = head(3, heads::Bound::lse);
    model.head->set_eta(std::vector<double>{2, -1, 0.5, -1.5, 1, 0, 0, 0, 0});
    for (auto& family : model.families) family->prepare(true);
    const auto families = model.family_pointers();
    model::RowSolver solver(
        {families, model.membership.get(), model.inference, model.head.get(), label}, data);
    std::vector<double> state(3), mean(3);
    for (std::size_t row = 0; row < data.rows; ++row) {
      if (data.observed(row) == 0) continue;
      model.membership->start(data.observed(row), state);
      solver.solve(row, model::kScoreLimits, model::Precision::score, state);
      solver.write_mean(mean);
      // At the fixed point gamma = alpha + m phibar.
      const auto alpha = model.membership->parameters();
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(alpha[k] + data.observed(row) * mean[k], state[k], 1e-7) << row;
    }
  }
}

// Components known, labels drawn from them: the head finds P(h | k).
TEST(Label, HeadOfKnownComponentsIsFound) {
  constexpr std::size_t kRows = 4000;
  std::vector<std::vector<double>> numbers;
  std::vector<std::int32_t> label;
  const double truth[2][2] = {{0.9, 0.1}, {0.3, 0.7}};
  core::Rng rng(5, 1, 0);
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::size_t k = row % 2;
    numbers.push_back({k == 0 ? -9 + rng.uniform() : 9 + rng.uniform()});
    label.push_back(rng.uniform() < truth[k][0] ? 0 : 1);
  }
  const Dataset data = test::dataset({test::real_block("gaussian", numbers, 1)});
  EmData prepared = prepare(data, 1);
  prepared.label = label;
  for (const Mode& m : modes()) {
    EmModel model = some_model(prepared, m, 2);
    model.head = std::make_unique<heads::Softmax>(2, 2, heads::Bound::lse, 1, 0.1);
    VariationalEm em(prepared, std::move(model));
    std::vector<double> start(kRows * kernels::padded(2), 0.0);
    for (std::size_t row = 0; row < kRows; ++row) start[row * kernels::padded(2) + row % 2] = 1;
    em.start_from(start);
    head_from_shares(prepared, start, kernels::padded(2), *em.model().head);
    for (int i = 0; i < 10; ++i) em.iterate();
    em.finish_fit();
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_NEAR(std::exp(em.model().head->log_probability()[k]), truth[k][0], 0.03)
          << m.membership->name << " " << m.mode->name;
  }
}

TEST(Label, StartsWithinClasses) {
  // Two clusters in each of two classes, the clusters of different classes closer than those of
  // one.
  std::vector<std::vector<double>> numbers;
  std::vector<std::int32_t> label;
  core::Rng rng(6, 1, 0);
  const double centre[4] = {0, 10, 1, 11};
  for (std::size_t row = 0; row < 200; ++row) {
    numbers.push_back({centre[row % 4] + 0.2 * (rng.uniform() - 0.5)});
    label.push_back(row % 4 < 2 ? 0 : 1);
  }
  // One row of the first class lies amid the second: it stays with its class all the same.
  numbers.push_back({11.0});
  label.push_back(0);
  const Dataset data = test::dataset({test::real_block("gaussian", numbers, 1)});
  EmData prepared = prepare(data, 1);
  prepared.label = label;
  const auto& single = memberships::single_membership;
  EmModel model = some_model(prepared, {&single, &model::usual_inference(single)}, 4);
  model.head = std::make_unique<heads::Softmax>(4, 2, heads::Bound::lse, 1, 0.1);
  VariationalEm em(prepared, std::move(model));
  const auto start = kmeans(em, {1, 0});
  const std::size_t width = kernels::padded(4);
  const auto together = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) sum += start[a * width + k] * start[b * width + k];
    return sum;
  };
  for (std::size_t a = 0; a < 200; ++a) {
    for (std::size_t b = 0; b < 8; ++b)
      EXPECT_EQ(together(a, b), a % 4 == b % 4 ? 1.0 : 0.0) << a << " " << b;
    if (label[a] == 1) {
      EXPECT_EQ(together(a, 200), 0.0) << a;
    }
  }
}

TEST(Label, SameBitsAtAnyThreadCount) {
  const Dataset data = some_data(300);
  const auto label = some_labels(data.rows);
  std::vector<double> first;
  for (const std::size_t threads : {1U, 3U}) {
    EmData prepared = prepare(data, threads);
    prepared.label = label;
    VariationalEm em(prepared, some_model(prepared, modes()[0], 4));
    em.model().head = head(4, heads::Bound::paper);
    em.start_from(random_rows(data, 4, {1, 0}));
    for (int i = 0; i < 5; ++i) em.iterate();
    const auto eta = em.model().head->eta();
    if (first.empty()) first.assign(eta.begin(), eta.end());
    EXPECT_TRUE(std::ranges::equal(first, eta));
  }
}

}  // namespace
}  // namespace medley::engines
