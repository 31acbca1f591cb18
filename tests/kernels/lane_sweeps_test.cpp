// SPDX-License-Identifier: Apache-2.0
// Sweeps of several rows abreast against each row's own by plain loops, on every instruction set of
// this machine.
#include "kernels/lane_sweeps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "kernels/plain_sweeps.hpp"
#include "support/on_every_target.hpp"

namespace medley::kernels {
namespace {

using test::on_every_target;

// Rows side by side; prior and factors are those of the first.
struct Abreast {
  explicit Abreast(const std::vector<Row>& all) : components(all[0].state.size()) {
    for (const Row& row : all) count = std::max(count, row.rows.size());
    rows.assign(count * components * kAbreast, 0.7F);  // what is not there must not matter
    weight.assign(count * kAbreast, 0.0F);
    state.assign(components * kAbreast, 0.5F);
    counts.assign(state.size(), -1.0F);
    room.resize(2 * state.size());
    enough.fill(std::numeric_limits<float>::infinity());
    prior.assign(all[0].prior.begin(), all[0].prior.end());
    factor.assign(all[0].factor.begin(), all[0].factor.end());
    for (std::size_t lane = 0; lane < all.size(); ++lane) put(all[lane], lane);
  }

  void put(const Row& row, std::size_t lane) {
    enough[lane] = 0;
    for (std::size_t o = 0; o < row.rows.size(); ++o) {
      weight[o * kAbreast + lane] = static_cast<float>(row.weight[o]);
      for (std::size_t k = 0; k < components; ++k)
        rows[(o * components + k) * kAbreast + lane] = static_cast<float>(row.rows[o][k]);
    }
    for (std::size_t k = 0; k < components; ++k)
      state[k * kAbreast + lane] = static_cast<float>(row.state[k]);
  }

  void sweep(std::size_t most, bool factors = false) {
    lane_sweeps({rows.data(), weight.data(), count, components, prior.data(),
                 factors ? factor.data() : nullptr},
                {enough.data(), most, 1e-25F},
                {state.data(), counts.data(), how.data(), sweeps.data(), room.data()});
  }

  std::size_t components, count = 0;
  std::vector<float> rows, weight, state, counts, room, prior, factor;
  std::array<float, kAbreast> enough{}, how{}, sweeps{};
};

// Rows of different lengths with one prior.
std::vector<Row> rows_of(std::size_t components, std::size_t many, double start) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < many; ++i) {
    rows.push_back(random_row(1 + (3 * i) % 19, components, start));
    rows.back().prior = rows[0].prior;
    rows.back().factor = rows[0].factor;
  }
  return rows;
}

void expect_states(const Abreast& found, std::size_t lane, const std::vector<double>& expected,
                   double tolerance) {
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const float state = found.state[k * kAbreast + lane];
    EXPECT_NEAR(state, expected[k], tolerance * (1 + expected[k])) << "row " << lane << ", " << k;
    EXPECT_FLOAT_EQ(found.prior[k] + found.counts[k * kAbreast + lane], state);
  }
}

void expect_equal_to_plain_loops(double start, double tolerance) {
  for (const std::size_t components : {1U, 2U, 5U, 9U, 16U}) {
    for (const std::size_t many : {6U, 8U}) {  // of four lanes, more than one has a row
      for (const bool factors : {false, true}) {
        const auto rows = rows_of(components, many, start);
        Abreast found(rows);
        found.sweep(3, factors);
        for (std::size_t lane = 0; lane < many; ++lane) {
          EXPECT_EQ(found.how[lane], kSettled);
          expect_states(found, lane, by_plain_loops(rows[lane], factors, 3), tolerance);
        }
      }
    }
  }
}

TEST(SweepsAbreast, EqualPlainLoops) {
  on_every_target([] { expect_equal_to_plain_loops(3, 2e-5); });
}

TEST(SweepsAbreast, SmallStatesThatMustBeScaledEqualPlainLoops) {
  on_every_target([] { expect_equal_to_plain_loops(0.01, 1e-4); });
}

// One row has large states beside those that must be scaled.
TEST(SweepsAbreast, ScalingIsAMatterOfEachRow) {
  on_every_target([] {
    auto rows = rows_of(4, 8, 0.01);
    for (double& state : rows[2].state) state *= 500;
    Abreast found(rows);
    found.sweep(1);
    for (std::size_t lane = 0; lane < 8; ++lane)
      expect_states(found, lane, by_plain_loops(rows[lane], false, 1), 1e-4);
  });
}

TEST(SweepsAbreast, ARowThatHasSettledStaysAsItIs) {
  on_every_target([] {
    const auto rows = rows_of(3, 8, 3);
    Abreast found(rows);
    found.enough[1] = 1e9F;  // content after one sweep
    found.sweep(4);
    expect_states(found, 1, by_plain_loops(rows[1], false, 1), 2e-5);
    EXPECT_EQ(found.how[1], kSettled);
    expect_states(found, 0, by_plain_loops(rows[0], false, 4), 2e-5);
  });
}

TEST(SweepsAbreast, NoRowDependsOnItsNeighbours) {
  on_every_target([] {
    const auto rows = rows_of(9, 8, 3);
    auto others = rows_of(9, 8, 0.2);
    for (Row& other : others) other.prior = rows[0].prior;
    others[3] = rows[6];
    Abreast here(rows), there(others);
    here.sweep(5);
    there.sweep(5);
    for (std::size_t k = 0; k < 9; ++k)
      EXPECT_EQ(here.state[k * kAbreast + 6], there.state[k * kAbreast + 3]);
  });
}

TEST(SweepsAbreast, TheLastFewThatMoveAreLeftToThemselves) {
  const auto rows = rows_of(3, 8, 3);
  Abreast found(rows);
  found.enough.fill(1e9F);
  found.enough[5] = 0;
  found.sweep(1000);
  // A machine with one lane leaves nobody: every row has its sweeps.
  if (found.how[5] == kMoving) {
    EXPECT_EQ(found.sweeps[5], 1.0F);
    expect_states(found, 5, by_plain_loops(rows[5], false, 1), 2e-5);
  } else {
    expect_states(found, 5, by_plain_loops(rows[5], false, 1000), 1e-3);
  }
  EXPECT_EQ(found.how[4], kSettled);
}

TEST(SweepsAbreast, AnUnderflowIsToldOfItsRowAlone) {
  on_every_target([] {
    auto rows = rows_of(4, 8, 3);
    for (double& likelihood : rows[6].rows[0]) likelihood = 0;
    Abreast found(rows);
    found.sweep(3);
    for (std::size_t lane = 0; lane < 8; ++lane) {
      EXPECT_EQ(found.how[lane], lane == 6 ? kUnsound : kSettled);
      if (lane != 6) expect_states(found, lane, by_plain_loops(rows[lane], false, 3), 2e-5);
    }
  });
}

}  // namespace
}  // namespace medley::kernels
