// SPDX-License-Identifier: Apache-2.0
// The sweeps against the same steps by the plain loops, on every instruction set of this machine.
#include "kernels/digamma_sweeps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <vector>

#include "kernels/lanes.hpp"
#include "kernels/plain_sweeps.hpp"
#include "support/on_every_target.hpp"

namespace medley::kernels {
namespace {

using test::on_every_target;

template <class T>
struct Flat {
  Flat(const Row& row, bool factors)
      : components(row.state.size()), wide(padded(components)), count(row.rows.size()) {
    rows.assign(count * wide, T{0});
    for (std::size_t o = 0; o < count; ++o) {
      for (std::size_t k = 0; k < components; ++k)
        rows[o * wide + k] = static_cast<T>(row.rows[o][k]);
    }
    weight.assign(row.weight.begin(), row.weight.end());
    norm.resize(count);
    const auto widen = [&](const std::vector<double>& x, T rest) {
      std::vector<T> out(wide, rest);
      for (std::size_t k = 0; k < components; ++k) out[k] = static_cast<T>(x[k]);
      return out;
    };
    prior = widen(row.prior, T{0.5F});
    state = widen(row.state, T{0.5F});
    if (factors) factor = widen(row.factor, T{0});
    e.resize(wide);
    counts.resize(wide);
    older.resize(2 * wide);
    room.resize(sweep_room(count, wide));
    columns.resize(2 * wide);
  }

  bool sweep(T enough, std::size_t most, T near = T{0}, T least = T{1e-25F}) {
    return digamma_sweeps({rows.data(), weight.data(), count, components, wide, prior.data(),
                           factor.empty() ? nullptr : factor.data()},
                          {enough, most, near, least},
                          {state.data(), e.data(), counts.data(), norm.data(), older.data(),
                           active ? room.data() : nullptr, columns.data()});
  }

  std::size_t components, wide, count;
  bool active = false;  // with rounds over the active components
  std::vector<T> rows, weight, norm, prior, state, factor, e, counts, older, room;
  std::vector<std::uint32_t> columns;
};

template <class T>
void expect_equal_to_plain_loops(double start, double tolerance) {
  for (const std::size_t components : {1U, 2U, 8U, 9U, 16U, 50U, 100U}) {
    for (const std::size_t count : {1U, 7U, 8U, 16U, 29U}) {
      for (const bool factors : {false, true}) {
        const Row row = random_row(count, components, start);
        Flat<T> flat(row, factors);
        ASSERT_TRUE(flat.sweep(T{0}, 3));
        const auto expected = by_plain_loops(row, factors, 3);
        for (std::size_t k = 0; k < components; ++k)
          EXPECT_NEAR(flat.state[k], expected[k], tolerance * (1 + expected[k]))
              << "component " << k << " of " << components << ", " << count << " cells";
        for (std::size_t k = components; k < flat.wide; ++k) {
          EXPECT_EQ(flat.counts[k], T{0});
          EXPECT_EQ(flat.state[k], T{0.5F});
        }
      }
    }
  }
}

TEST(DigammaSweeps, FloatEqualsPlainLoops) {
  on_every_target([] { expect_equal_to_plain_loops<float>(3, 2e-5); });
}

TEST(DigammaSweeps, DoubleEqualsPlainLoops) {
  on_every_target([] { expect_equal_to_plain_loops<double>(3, 1e-12); });
}

TEST(DigammaSweeps, SmallStatesThatMustBeScaledEqualPlainLoops) {
  on_every_target([] {
    expect_equal_to_plain_loops<float>(0.01, 1e-4);
    expect_equal_to_plain_loops<double>(0.01, 1e-11);
  });
}

// One cell in which all components are alike: counts are e / sum e, so e itself shows.
TEST(DigammaSweeps, WeightsAreWithinTheirStatedErrorOfBoost) {
  on_every_target([] {
    for (double x = 0.1; x < 2000; x *= 1.01) {
      const Row row{{{1, 1}}, {1}, {0.1, 0.1}, {}, {x, 4.0}};
      Flat<float> flat(row, false);
      ASSERT_TRUE(flat.sweep(0, 1));
      const auto weight = [](float v) { return std::exp(boost::math::digamma(double{v})); };
      const double expected = weight(static_cast<float>(x)) / weight(4.0F);
      EXPECT_NEAR(double{flat.e[0]} / double{flat.e[1]}, expected, 2e-6 * expected) << x;
    }
  });
}

TEST(DigammaSweeps, StopsWhenNothingMovesAnyMore) {
  const Row row = random_row(20, 5, 3);
  Flat<double> settled(row, false), longer(row, false);
  ASSERT_TRUE(settled.sweep(1e-9, 10'000));
  ASSERT_TRUE(longer.sweep(0, 10'000));
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(settled.state[k], longer.state[k], 1e-6);
  Flat<double> at_once(row, false);
  ASSERT_TRUE(at_once.sweep(1e9, 10'000));
  const auto one = by_plain_loops(row, false, 1);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(at_once.state[k], one[k], 1e-10);
}

// Two components that are nearly alike: sweeps alone are slow to say how they share the row.
TEST(DigammaSweeps, ExtrapolationEndsWherePlainSweepsEndInFewerOfThem) {
  Row row = random_row(30, 3, 3);
  for (auto& likelihood : row.rows) likelihood[1] = likelihood[0] * (1 + 0.05 * likelihood[2]);
  Flat<double> plain(row, false);
  ASSERT_TRUE(plain.sweep(1e-13, 1'000'000));
  on_every_target([&] {
    Flat<double> fast(row, false), slow(row, false);
    const std::size_t few = 120;
    ASSERT_TRUE(fast.sweep(1e-10, few, 0.1));
    ASSERT_TRUE(slow.sweep(1e-10, few));
    double off = 0, off_slow = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      off = std::max(off, std::abs(row.prior[k] + fast.counts[k] - plain.state[k]));
      off_slow = std::max(off_slow, std::abs(slow.state[k] - plain.state[k]));
    }
    EXPECT_LT(off, 1e-7);
    EXPECT_GT(off_slow, 1e-5);
  });
}

// A row of `count` cells that components `from` to `from` + 2 explain well, the next `rivals` half
// as well, so that they lose slowly, and the others badly; but for one cell, of which those that
// are not active hold a good part together.
Row concentrated_row(std::size_t count, std::size_t components, std::size_t from,
                     std::size_t rivals = 0) {
  Row row = random_row(count, components, 3);
  for (auto& likelihood : row.rows) {
    for (std::size_t k = 0; k < components; ++k) {
      const bool good = k >= from && k < from + 3, rival = k >= from + 3 && k < from + 3 + rivals;
      if (!good) likelihood[k] *= rival ? 0.5 : 1e-3;
      if (good && &likelihood == &row.rows[0]) likelihood[k] *= 5e-6;
    }
  }
  return row;
}

void expect_active_sweeps_to_end_at_the_optimum(const Row& row, bool factors) {
  const auto expected = by_plain_loops(row, factors, 500);
  Flat<float> flat(row, factors);
  flat.active = true;
  ASSERT_TRUE(flat.sweep(1e-6F * static_cast<float>(row.rows.size()), 3000));
  for (std::size_t k = 0; k < row.state.size(); ++k) {
    EXPECT_NEAR(flat.state[k], expected[k], 2e-3 * (0.1 + expected[k])) << "component " << k;
    EXPECT_NEAR(flat.prior[k] + flat.counts[k], flat.state[k], 1e-6 * (1 + expected[k]));
  }
}

TEST(DigammaSweeps, RoundsOverActiveComponentsEndWherePlainSweepsEnd) {
  on_every_target([] {
    for (const std::size_t components : {32U, 100U}) {
      for (const std::size_t count : {5U, 61U}) {
        for (const bool factors : {false, true})
          expect_active_sweeps_to_end_at_the_optimum(
              concentrated_row(count, components, 7, components / 4), factors);
      }
    }
  });
}

// The row begins where it holds nothing of the components that explain it.
TEST(DigammaSweeps, ComponentsThatWereNotActiveComeBack) {
  on_every_target([] {
    Row row = concentrated_row(60, 64, 20);
    for (std::size_t k = 0; k < row.state.size(); ++k)
      row.state[k] = row.prior[k] + (k >= 40 && k < 42 ? 70.0 : 0.0);
    expect_active_sweeps_to_end_at_the_optimum(row, false);
  });
}

// What the others say in the normalisers must not be lost in a round: as many sweeps as there are,
// less the one that ends them, over the active components, with the others as they were.
TEST(DigammaSweeps, ARoundIsCoordinateAscentOverTheActiveComponents) {
  on_every_target([] {
    const Row row = concentrated_row(40, 80, 7);
    const std::size_t before = 2, most = 12;
    Row active = row;
    active.state = by_plain_loops(row, false, before);
    std::vector<bool> frozen;
    for (std::size_t k = 0; k < 80; ++k) frozen.push_back(active.state[k] - row.prior[k] < 0.01);
    ASSERT_GE(std::count(frozen.begin(), frozen.end(), true), 72);
    for (std::size_t sweep = before; sweep < most; ++sweep) {
      const bool last = sweep + 1 == most;
      const auto next = by_plain_loops(active, false, 1);
      for (std::size_t k = 0; k < 80; ++k)
        if (last || !frozen[k]) active.state[k] = next[k];
    }
    Flat<float> flat(row, false);
    flat.active = true;
    ASSERT_TRUE(flat.sweep(0, most));
    for (std::size_t k = 0; k < 80; ++k)
      EXPECT_NEAR(flat.state[k], active.state[k], 1e-4 * (0.1 + active.state[k])) << k;
  });
}

TEST(DigammaSweeps, AnUnderflowIsToldNotHidden) {
  Row row = random_row(3, 4, 3);
  for (double& likelihood : row.rows[1]) likelihood = 0;
  Flat<float> flat(row, false);
  EXPECT_FALSE(flat.sweep(0, 3));
}

}  // namespace
}  // namespace medley::kernels
