// SPDX-License-Identifier: Apache-2.0
// The best of many starts of single membership, on planted patterns of answers.
#include "engines/multistart.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "core/task.hpp"
#include "engines/variational_em.hpp"
#include "memberships/registry.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

class Multistarts : public testing::Test {
 public:
  EmModel model() const {
    const auto& single = memberships::single_membership;
    EmModel out = make_model(prepared, single, model::usual_inference(single), 8);
    out.smoothing = 0.01;
    return out;
  }
  Multistart run(StartsWanted wanted) {
    return multistart(prepared, model(), wanted, {5, 0}, [&](Engine& engine, StartSeed seed) {
      seeds.push_back(seed.restart);
      return kmeans(engine, seed);
    });
  }
  // The penalised bound after so many iterations on all rows.
  double bound(const core::TensorFile& parameters, int iterations) const {
    VariationalEm em(prepared, model());
    restore_parameters(parameters, "", em.model());
    double last = 0;
    for (int i = 0; i < iterations; ++i) last = em.iterate();
    return last;
  }

  Dataset data = test::patterns().data;
  EmData prepared = prepare(data, 1);
  std::vector<std::size_t> seeds;
};

TEST_F(Multistarts, TheBestOfManyIsNoWorseThanEachOfThem) {
  const Multistart found = run({12, 12});
  ASSERT_GE(found.parameters.size(), 2U);
  ASSERT_EQ(found.number.size(), found.parameters.size());
  const double best = bound(found.parameters.front(), 30);
  EXPECT_LT(bound(found.parameters.back(), 30), best - 100);  // or there would be no choice
  for (const auto& parameters : found.parameters) EXPECT_LE(bound(parameters, 30), best + 50);
}

TEST_F(Multistarts, KeepsTheBestAndNotTheSameTwice) {
  const Multistart all = run({12, 12});
  const Multistart few = run({12, 3});
  ASSERT_LE(few.number.size(), 3U);
  EXPECT_EQ(few.number[0], all.number[0]);
}

TEST_F(Multistarts, EveryRestartHasStartsOfItsOwn) {
  (void)run({5, 1});
  EXPECT_EQ(seeds, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST_F(Multistarts, StopsWhenStartsAgree) {
  const auto planted = test::patterns().of_row;
  const Multistart found = multistart(prepared, model(), {40, 2}, {5, 0}, [&](Engine&, StartSeed) {
    std::vector<double> right(planted.size() * 8, 0.0);
    for (std::size_t row = 0; row < planted.size(); ++row) right[row * 8 + planted[row]] = 1;
    return right;
  });
  EXPECT_EQ(found.tried, 6U);  // the first batch
  EXPECT_EQ(found.parameters.size(), 1U);
}

TEST_F(Multistarts, LooksAtSomeOfManyRows) {
  const Dataset large = test::dataset(
      {test::level_block("bernoulli", std::vector<std::vector<int>>(9000, std::vector<int>(50, 1)),
                         std::vector<std::size_t>(50, 2))});
  const EmData many = prepare(large, 1);
  const auto& single = memberships::single_membership;
  std::size_t rows = 0;
  (void)multistart(many, make_model(many, single, model::usual_inference(single), 2), {2, 1},
                   {5, 0}, [&](Engine& engine, StartSeed seed) {
                     rows = engine.data().data->rows;
                     return random_rows(*engine.data().data, 2, seed);
                   });
  EXPECT_EQ(rows, 800U);  // 40,000 cells
}

TEST_F(Multistarts, InterruptedItGivesWhatItHas) {
  std::atomic<bool> stop{true};
  const core::Task task(&stop);
  const Multistart nothing = run({12, 3});
  EXPECT_TRUE(nothing.interrupted);
  EXPECT_TRUE(nothing.parameters.empty());
  stop = false;
  std::size_t begun = 0;
  const Multistart some =
      multistart(prepared, model(), {12, 3}, {5, 0}, [&](Engine& engine, StartSeed seed) {
        if (++begun == 6) stop = true;  // in the second batch of four
        return random_rows(*engine.data().data, 8, seed);
      });
  EXPECT_TRUE(some.interrupted);
  EXPECT_GE(some.parameters.size(), 1U);
}

}  // namespace
}  // namespace medley::engines
