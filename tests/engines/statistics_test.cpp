// SPDX-License-Identifier: Apache-2.0
// Statistics as a value: what some rows add up to and what others add up to is what all do.
#include "engines/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/select_rows.hpp"
#include "engines/registry.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kRows = 40, kComponents = 3;

class TheStatistics : public testing::Test {
 public:
  Dataset data = [] {
    Dataset out = test::dataset({test::random_block(families::gaussian_family, kRows, 3, 0.2),
                                 test::random_block(families::tokens_family, kRows, 4, 0.2)});
    test::add_label(out, 2);
    return out;
  }();

  [[nodiscard]] EmModel model(const memberships::MembershipEntry& membership) const {
    const EmData prepared = prepare(data, 1);
    EmModel out = make_model(prepared, membership, model::usual_inference(membership), kComponents);
    test::randomise(out, data, 5);
    if (auto* located = out.membership->located())
      located->begin_with(test::random_counts(50, kComponents, 12));
    return out;
  }

  [[nodiscard]] Statistics of_rows(std::size_t first, std::size_t end, EmModel& model) const {
    std::vector<std::size_t> rows;
    for (std::size_t row = first; row < end; ++row) rows.push_back(row);
    const Dataset some = data::select_rows(data, rows);
    Statistics out(model);
    engine_of(*model.inference).estep(prepare(some, 1), {1e-6, 50}, model, out);
    return out;
  }
};

TEST_F(TheStatistics, OfSomeRowsAndOfTheOthersAreThoseOfAll) {
  for (const auto* membership : memberships::registry()) {
    if (membership->infers_k) continue;
    SCOPED_TRACE(membership->name);
    EmModel m = model(*membership);
    if (!membership->counts)
      m.head = std::make_unique<heads::Softmax>(kComponents, 2, heads::Bound::lse, 1, 0.1);
    const Statistics all = of_rows(0, kRows, m);
    Statistics some = of_rows(0, 16, m);
    some.add(of_rows(16, kRows, m));
    ASSERT_EQ(some.flat().size(), all.flat().size());
    for (std::size_t i = 0; i < all.flat().size(); ++i)
      ASSERT_NEAR(some.flat()[i], all.flat()[i], 1e-10 * std::max(1.0, std::abs(all.flat()[i])))
          << i;
    EXPECT_EQ(some.prior().records, all.prior().records);
    EXPECT_EQ(all.prior().records.empty(), !membership->located);
    EXPECT_EQ(all.head().joint.empty(), membership->counts);
  }
}

// Counted by hand: of rows that have anything, the weights; of cells, the weights too.
TEST_F(TheStatistics, SayHowManyRowsAndObservationsThereAre) {
  for (std::size_t row = 0; row < kRows; ++row) data.row_weight.push_back(row % 2 == 0 ? 1.5 : 2);
  EmModel m = model(memberships::mixed_membership);
  const Statistics all = of_rows(0, kRows, m);
  double rows = 0, observations = 0;
  for (std::size_t row = 0; row < kRows; ++row) {
    rows += data.observed(row) > 0 ? data.weight_of(row) : 0.0;
    observations += data.weight_of(row) * data.observed(row);
  }
  EXPECT_NEAR(all.prior().rows, rows, 1e-10);
  EXPECT_NEAR(all.observations(), observations, 1e-9);
  double words = 0;
  for (const double count : all.table(1)) words += count;
  double expected = 0;
  for (std::size_t row = 0; row < kRows; ++row) {
    const Block& block = data.blocks[1];
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
      expected += data.weight_of(row) * static_cast<double>(block.weight_of(c));
  }
  EXPECT_NEAR(words, expected, 1e-9 * expected);
}

TEST_F(TheStatistics, ScaledStandForSoManyTimesTheRows) {
  EmModel m = model(memberships::correlated_membership);
  const Statistics once = of_rows(0, kRows, m);
  Statistics thrice = once;
  thrice.scale(3);
  for (std::size_t i = 0; i < once.flat().size(); ++i)
    EXPECT_EQ(thrice.flat()[i], 3 * once.flat()[i]);
  EXPECT_EQ(thrice.prior().scale, 3);
  EXPECT_EQ(thrice.prior().records, once.prior().records);
  thrice.clear();
  for (const double number : thrice.flat()) EXPECT_EQ(number, 0);
  EXPECT_TRUE(thrice.prior().records.empty());
}

}  // namespace
}  // namespace medley::engines
