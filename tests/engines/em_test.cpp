// SPDX-License-Identifier: Apache-2.0
// EM itself, on every cell of the grid: the penalised bound never falls, threads change no bit, a
// saved run goes on with the same bits.
#include <gtest/gtest.h>

#include <cmath>

#include "engines/run_trace.hpp"
#include "engines/starts.hpp"
#include "support/em.hpp"
#include "support/quick.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

constexpr auto kPlain = VariationalEm::Steps::plain;
constexpr auto kExtrapolated = VariationalEm::Steps::extrapolated;

struct Cell {
  const families::FamilyEntry* family;
  const memberships::MembershipEntry* membership;
  const model::Inference* mode;
};

std::vector<Cell> grid() {
  std::vector<Cell> cells;
  for (const auto* family : families::registry()) {
    for (const auto* membership : memberships::registry()) {
      for (const model::Inference* mode : model::offered(*membership)) {
        if (test::by_variation(*mode, *membership)) cells.push_back({family, membership, mode});
      }
    }
  }
  return cells;
}

class EveryCell : public testing::TestWithParam<Cell> {
 public:
  Dataset data = test::dataset({test::random_block(*GetParam().family, 150, 3, 0.2),
                                test::random_block(families::categorical_family, 150, 4, 0.3)});

  [[nodiscard]] EmModel model(std::size_t components,
                              const families::Smoothing& smoothing = 0.01) const {
    EmModel m = make_model(prepare(data, 1), *GetParam().membership, *GetParam().mode, components);
    m.smoothing = smoothing;
    if (auto* located = m.membership->located())
      located->begin_with(test::random_counts(50, components, 5));
    return m;
  }
};

TEST_P(EveryCell, PenalisedBoundNeverFalls) {
  data.row_weight.assign(data.rows, 1.0);
  for (std::size_t row = 0; row < data.rows; ++row)
    data.row_weight[row] = 0.5 + static_cast<double>(row % 3);
  const EmData prepared = prepare(data, 1);
  const bool has_alpha = GetParam().membership->dirichlet;
  // Iterations of correlated membership take ten times as long.
  const bool dear = GetParam().membership->precursor != nullptr;
  const std::uint64_t seeds = test::quick() ? 2 : 4;
  const int iterations = test::quick() ? (dear ? 4 : 12) : 40;
  for (const AlphaMode alpha : {AlphaMode::fitted, AlphaMode::symmetric, AlphaMode::fixed}) {
    if (!has_alpha && alpha != AlphaMode::fitted) continue;
    for (const families::Smoothing& smoothing :
         {families::Smoothing(0), families::Smoothing(0.01), families::Smoothing(0.01, 2),
          families::Smoothing(0.1, 0, true), families::Smoothing(0.01, 2, true)}) {
      if (smoothing.posterior && !GetParam().family->posterior) continue;
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        EmModel m = model(4, smoothing);
        m.alpha = alpha;
        VariationalEm em(prepared, std::move(m), seed % 2 == 0 ? kExtrapolated : kPlain);
        em.start_from(random_rows(data, 4, {seed, 0}));
        double before = em.iterate({1e-6, 20});
        for (int iteration = 0; iteration < iterations; ++iteration) {
          const double after = em.iterate({1e-6, 20});
          ASSERT_GE(after, before - kRounding * std::abs(before))
              << "iteration " << iteration << " seed " << seed;
          before = after;
        }
      }
    }
  }
}

// A table that is worked on in pieces, with likelihood rows in float and rows that go on with their
// active components.
class LargeTable : public testing::Test {
 public:
  Dataset data = test::dataset({test::large_token_block(200, 6)});

  [[nodiscard]] std::unique_ptr<VariationalEm> started(const EmData& prepared,
                                                       bool posterior) const {
    const auto& mixed = memberships::mixed_membership;
    EmModel m = make_model(prepared, mixed, model::usual_inference(mixed), 40);
    m.smoothing = {0.01, 0, posterior};
    auto em = std::make_unique<VariationalEm>(prepared, std::move(m), kExtrapolated);
    em->start_from(random_rows(data, 40, {1, 0}));
    return em;
  }
};

TEST_F(LargeTable, PenalisedBoundNeverFalls) {
  const EmData prepared = prepare(data, 1);
  for (const bool posterior : {false, true}) {
    const auto em = started(prepared, posterior);
    double before = em->iterate();
    const double first = before;
    for (int iteration = 0; iteration < 60; ++iteration) {
      const double after = em->iterate();
      ASSERT_GE(after, before - kRounding * std::abs(before)) << iteration;
      before = after;
    }
    EXPECT_GT(before, first);
  }
}

// Rows that are left alone early while the tables still move much settle with them in the end.
TEST_F(LargeTable, RowsThatSettleWithTheFitEndWhereExactOnesDo) {
  const EmData prepared = prepare(data, 1);
  const auto with_fit = started(prepared, false), exactly = started(prepared, false);
  double bound = 0, exact = 0;
  for (int iteration = 0; iteration < 150; ++iteration) {
    bound = with_fit->iterate();
    exact = exactly->iterate({1e-6, 300});
    if (iteration < 2) {
      EXPECT_EQ(bound, exact);
    } else if (iteration == 2) {
      EXPECT_NE(bound, exact);
    }
  }
  EXPECT_NEAR(bound, exact, 1e-4 * std::abs(exact));
}

TEST_F(LargeTable, ThreadsChangeNoBit) {
  for (const bool posterior : {false, true}) {
    std::vector<std::vector<double>> results;
    for (const std::size_t threads : {1U, 2U, 7U}) {
      const EmData prepared = prepare(data, threads);
      const auto em = started(prepared, posterior);
      for (int iteration = 0; iteration < 5; ++iteration) em->iterate();
      const auto table = em->model().families[0]->parameters();
      results.emplace_back(table.begin(), table.end());
      results.back().push_back(em->iterate());
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
}

TEST_P(EveryCell, ThreadsChangeNoBit) {
  std::vector<std::vector<double>> results;
  for (const std::size_t threads : {1U, 2U, 7U}) {
    const EmData prepared = prepare(data, threads);
    VariationalEm em(prepared, model(5), kExtrapolated);
    em.start_from(random_rows(data, 5, {1, 0}));
    std::vector<double> trace;
    for (int i = 0; i < 10; ++i) trace.push_back(em.iterate({1e-6, 20}));
    for (const auto& family : em.model().families)
      trace.insert(trace.end(), family->parameters().begin(), family->parameters().end());
    for (const double v : em.model().membership->parameters()) trace.push_back(v);
    results.push_back(trace);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST_P(EveryCell, SavedRunGoesOnWithTheSameBits) {
  const EmData prepared = prepare(data, 1);
  VariationalEm straight(prepared, model(3), kExtrapolated);
  VariationalEm first(prepared, model(3), kExtrapolated);
  VariationalEm second(prepared, model(3), kExtrapolated);
  straight.start_from(random_rows(data, 3, {1, 0}));
  first.start_from(random_rows(data, 3, {1, 0}));
  for (int i = 0; i < 4; ++i) {
    straight.iterate();
    first.iterate();
  }
  core::TensorFile file;
  first.save(file, "run.");
  second.restore(core::parse_tensors(core::serialise_tensors(file), "memory"), "run.");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(straight.iterate(), second.iterate());
}

// The same blocks the other way round, from the same memberships. Scores agree to 1e-10; a fit
// iterates rows in float, where the order of a sum shows in the eighth digit.
TEST_P(EveryCell, ColumnOrderChangesNothing) {
  Dataset turned = data;
  std::swap(turned.blocks[0], turned.blocks[1]);
  const EmData prepared = prepare(data, 1), prepared_turned = prepare(turned, 1);
  EmModel other = make_model(prepare(turned, 1), *GetParam().membership, *GetParam().mode, 3);
  other.smoothing = 0.01;
  other.membership->set_parameters(model(3).membership->parameters());
  VariationalEm em(prepared, model(3)), em_turned(prepared_turned, std::move(other));
  em.start_from(random_rows(data, 3, {1, 0}));
  em_turned.start_from(random_rows(data, 3, {1, 0}));
  for (int i = 0; i < 8; ++i) {
    const double a = em.iterate({1e-6, 20}), b = em_turned.iterate({1e-6, 20});
    // What is climbed to a maximum stops where float tells no more.
    const bool climbed = GetParam().membership == &memberships::correlated_membership;
    ASSERT_NEAR(a, b, (climbed ? 1e-4 : 1e-7) * std::abs(a));
  }
}

TEST_P(EveryCell, OrderOfColumnsAndLevelsChangesNoScore) {
  EmModel m = model(3);
  test::randomise(m, data, 8);
  const auto scored = test::score(m, data);
  Dataset turned = data;
  std::swap(turned.blocks[0], turned.blocks[1]);
  EmModel swapped = make_model(prepare(turned, 1), *GetParam().membership, *GetParam().mode, 3);
  swapped.membership->set_parameters(m.membership->parameters());
  for (std::size_t b = 0; b < 2; ++b)
    swapped.families[b]->set_parameters(m.families[1 - b]->parameters());
  // Every feature's levels the other way round, in the cells and in the table.
  for (std::size_t b = 0; b < 2; ++b) {
    Block& block = turned.blocks[b];
    if (block.encoding == Encoding::real) continue;  // numbers have no levels
    const std::size_t width = swapped.families[b]->padded();
    const std::vector<double> table(swapped.families[b]->parameters().begin(),
                                    swapped.families[b]->parameters().end());
    std::vector<double> reversed(table.size());
    std::vector<std::uint32_t> other(block.slots());
    for (std::size_t f = 0; f + 1 < block.first_slot.size(); ++f) {
      for (std::uint32_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s) {
        other[s] = block.first_slot[f] + block.first_slot[f + 1] - 1 - s;
        std::copy_n(&table[s * width], width, &reversed[other[s] * width]);
      }
    }
    for (auto& slot : block.slot) slot = other[slot];
    swapped.families[b]->set_parameters(reversed);
  }
  const auto again = test::score(swapped, turned);
  for (std::size_t row = 0; row < data.rows; ++row) {
    ASSERT_NEAR(scored.bound[row], again.bound[row], 1e-10 * (1 + std::abs(scored.bound[row])));
  }
}

INSTANTIATE_TEST_SUITE_P(Grid, EveryCell, testing::ValuesIn(grid()), [](const auto& cell) {
  return std::string(cell.param.family->name) + "_" + cell.param.membership->name + "_" +
         cell.param.mode->name;
});

}  // namespace
}  // namespace medley::engines
