// SPDX-License-Identifier: Apache-2.0
// Candidates for the beginning of a fit, on an engine whose every bound is known beforehand.
#include "engines/contest.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "families/registry.hpp"
#include "medley/error.hpp"
#include "memberships/registry.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

// After n iterations its bound is limit - gap rate^n.
class Climber final : public Engine {
 public:
  explicit Climber(const EmData& data)
      : Engine(data, make_model(data, memberships::single_membership,
                                memberships::single_membership.modes[0], 2)) {}
  void set(double limit, double gap, double rate) { curve_ = {limit, gap, rate}; }
  double iterate() override {
    ++made;
    curve_[1] *= curve_[2];
    return curve_[0] - curve_[1];
  }
  void save(core::TensorFile& file, const std::string& prefix) const override {
    file.put(prefix + "curve", curve_);
  }
  void restore(const core::TensorFile& file, const std::string& prefix) override {
    curve_ = file.doubles(prefix + "curve", 3);
  }
  [[nodiscard]] double limit() const { return curve_[0]; }
  [[nodiscard]] double gap() const { return curve_[1]; }

  std::size_t made = 0;

 private:
  void forget() override {}
  std::vector<double> curve_ = {0, 0, 0};
};

Candidate climb(const char* name, double limit, double gap, double rate,
                std::optional<std::size_t> replaces = std::nullopt) {
  return {name, [=](Engine& engine) { static_cast<Climber&>(engine).set(limit, gap, rate); },
          replaces};
}

class Contests : public testing::Test {
 public:
  Dataset data = test::dataset({test::level_block("bernoulli", {{0}, {1}}, {2})});
  EmData prepared = prepare(data, 1);
  Climber engine{prepared};
  const std::function<void(const Contest::Step&)> go_on = [](const Contest::Step&) {};
};

TEST_F(Contests, TheBestAfterTheLastRoundGoesOnFromWhereItCame) {
  // The slow one is ahead after 8 iterations only.
  Contest contest({climb("quick", -10, 100, 0.5), climb("slow", -1, 100, 0.7)}, {{3, 2}, {8, 1}});
  contest.run(engine, go_on);
  EXPECT_EQ(engine.limit(), -1);
  EXPECT_DOUBLE_EQ(engine.gap(), 100 * std::pow(0.7, 8));
  EXPECT_EQ(engine.made, 16U);
  const auto tried = contest.tried();
  ASSERT_EQ(tried.size(), 2U);
  EXPECT_EQ(tried[0].name, "slow");  // the best is named first
  EXPECT_EQ(tried[1].name, "quick");
  EXPECT_EQ(tried[1].iterations, 8U);
  EXPECT_NEAR(tried[1].bound, -10 - 100 * std::pow(0.5, 8), 1e-9);
}

TEST_F(Contests, WhoIsDroppedMakesNoMoreIterations) {
  Contest contest({climb("slow", -1, 100, 0.7), climb("quick", -10, 100, 0.5)}, {{3, 1}, {8, 1}});
  contest.run(engine, go_on);
  EXPECT_EQ(engine.limit(), -10);
  EXPECT_EQ(engine.made, 6U);  // with one left there is nothing more to find out
}

TEST_F(Contests, WhoNoLongerGrowsWaitsForTheOthers) {
  Contest contest({climb("settled", -10, 1e-3, 0.1), climb("slow", -1, 100, 0.7)}, {{30, 1}});
  contest.run(engine, go_on);
  EXPECT_EQ(engine.limit(), -1);
  EXPECT_EQ(contest.tried()[0].iterations, 30U);
  EXPECT_LT(contest.tried()[1].iterations, 10U);
  EXPECT_NEAR(contest.tried()[1].bound, -10, 1e-6);
}

TEST_F(Contests, SeveralMayBeLeftTheBestFirst) {
  Contest contest(
      {climb("worst", -9, 1, 0.5), climb("good", -2, 1, 0.5), climb("best", -1, 1, 0.5)}, {{3, 2}});
  contest.run(engine, go_on);
  EXPECT_EQ(engine.limit(), -1);
  const auto left = contest.left();
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[0].candidate, 2U);
  EXPECT_EQ(left[1].candidate, 1U);
  EXPECT_DOUBLE_EQ(left[1].bound, -2 - 0.125);
  engine.restore(*left[1].state, "");
  EXPECT_EQ(engine.limit(), -2);
}

// The best gains 75 from its first iteration to its third; the others are behind by 2 and by 6.
TEST_F(Contests, TheMarginIsAShareOfWhatTheBestGained) {
  const std::vector<Candidate> all = {climb("best", 0, 200, 0.5), climb("close", -2, 200, 0.5),
                                      climb("far", -6, 200, 0.5)};
  Contest contest(all, {{3, 3, 0.05}, {4, 1}});
  contest.run(engine, go_on);
  const auto tried = contest.tried();
  EXPECT_EQ(tried[1].iterations, 4U);
  EXPECT_EQ(tried[2].iterations, 3U);
}

TEST_F(Contests, LaterCandidatesReplaceTheirForerunnerIfItIsLeft) {
  for (const bool forerunner_wins : {false, true}) {
    Contest contest(
        {climb("first", -5, 100, 0.5), climb("second", forerunner_wins ? -1 : -9, 100, 0.5),
         climb("later", 0, 100, 0.5, 1)},
        {{6, 1}, {12, 1}});
    contest.run(engine, go_on);
    EXPECT_EQ(engine.limit(), forerunner_wins ? 0 : -5);
    EXPECT_EQ(contest.tried().size(), forerunner_wins ? 3U : 2U);
  }
}

// The forerunner would have been better in the end: it only opens the door.
TEST_F(Contests, WhoIsReplacedMakesNoMoreIterations) {
  Contest contest({climb("first", -5, 100, 0.5), climb("second", -1, 100, 0.5),
                   climb("later", -3, 100, 0.5, 1), climb("last", -4, 100, 0.5, 1)},
                  {{6, 2}, {12, 1}});
  contest.run(engine, go_on);
  EXPECT_EQ(engine.limit(), -3);
  EXPECT_EQ(engine.made, 6U + 12U + 12U + 12U);
  Contest without_second_round({climb("first", -5, 100, 0.5), climb("later", -3, 100, 0.5, 0)},
                               {{6, 1}});
  without_second_round.run(engine, go_on);
  EXPECT_EQ(engine.limit(), -5);
}

TEST_F(Contests, ABoundThatIsNoNumberLoses) {
  Contest contest({climb("broken", std::nan(""), 1, 0.5), climb("sound", -9, 1, 0.5)}, {{2, 1}});
  contest.run(engine, go_on);
  EXPECT_EQ(engine.limit(), -9);
}

TEST_F(Contests, SavedAfterAnyIterationItEndsTheSame) {
  const std::vector<Candidate> all = {climb("a", -3, 100, 0.6), climb("b", -2, 100, 0.7),
                                      climb("c", -1, 100, 0.8, 1)};
  const std::vector<Round> rounds = {{4, 2, 0.9}, {9, 2}, {20, 1}};
  Contest straight(all, rounds);
  straight.run(engine, go_on);
  const double limit = engine.limit(), gap = engine.gap();
  for (std::size_t stop = 1; stop < engine.made; ++stop) {
    Climber first(prepared), second(prepared);
    Contest broken(all, rounds);
    core::TensorFile file;
    std::size_t steps = 0;
    EXPECT_THROW(broken.run(first,
                            [&](const Contest::Step&) {
                              if (++steps == stop) throw Interrupted();
                            }),
                 Interrupted);
    broken.save(file, "contest.");
    Contest taken_up(all, rounds);
    taken_up.restore(core::parse_tensors(core::serialise_tensors(file), "memory"), "contest.");
    taken_up.run(second, go_on);
    EXPECT_EQ(second.limit(), limit) << stop;
    EXPECT_EQ(second.gap(), gap) << stop;
    EXPECT_EQ(taken_up.tried().size(), straight.tried().size());
  }
}

TEST_F(Contests, ADamagedOneIsRefused) {
  const std::vector<Candidate> all = {climb("a", 0, 1, 0.5), climb("b", -1, 1, 0.5)};
  for (const std::vector<std::int64_t>& numbers : {std::vector<std::int64_t>{1, 0, 0, 1, 0, 1},
                                                   {0, 2, 0, 1, 0, 1},
                                                   {0, 0, 0, 0, 0, 0},
                                                   {0, 0, -1, 1, 0, 1},
                                                   {0, 0}}) {
    core::TensorFile file;
    file.put("bounds", std::vector<double>(4, 0.0));
    file.put("numbers", numbers);
    Contest contest(all, {{2, 1}});
    EXPECT_THROW(contest.restore(file, ""), InputError);
  }
}

}  // namespace
}  // namespace medley::engines
