// SPDX-License-Identifier: Apache-2.0
// The update of collapsed inference against its plain loop, on every instruction set of this
// machine.
#include "kernels/collapsed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/rng.hpp"
#include "kernels/lanes.hpp"
#include "kernels/reference.hpp"
#include "support/on_every_target.hpp"

namespace medley::kernels {
namespace {

using test::on_every_target;

// A row of some cells over two simplexes, with counts that hold at least these cells.
struct Stage {
  std::size_t components, width, cells;
  double row_weight;
  std::vector<std::uint32_t> slot;
  std::vector<float> weight, phi, held, count, prior, first, second, room;
  std::vector<std::uint32_t> simplex = {0, 0, 0, 1, 1};
  double size = 0;
  double step = 1;
  bool warm = false;

  Stage(std::size_t k, std::size_t n, double weight_of_row)
      : components(k), width(padded(k)), cells(n), row_weight(weight_of_row) {
    core::Rng rng(k * 1000 + n, 5);
    phi.assign(n * width, 0.0F);
    held.assign(width, 0.0F);
    count.assign(5 * width, 0.0F);
    first.assign(width, std::numeric_limits<float>::infinity());
    second = first;
    for (int s = 0; s < 5; ++s) prior.push_back(0.01F * static_cast<float>(s + 1));
    for (std::size_t j = 0; j < k; ++j) {
      held[j] = static_cast<float>(0.05 + rng.uniform());
      first[j] = static_cast<float>(0.06 + 5 * rng.uniform());
      second[j] = static_cast<float>(0.09 + 5 * rng.uniform());
      for (std::size_t s = 0; s < 5; ++s) count[s * width + j] = static_cast<float>(rng.uniform());
    }
    for (std::size_t o = 0; o < n; ++o) add_cell(o, rng);
    room.resize(n + width);
    for (const float h : held) size += static_cast<double>(h);
  }

  void add_cell(std::size_t o, core::Rng& rng) {
    const double w = o % 4 == 3 ? 0.5 : 1.0 + static_cast<double>(rng.below(3));
    slot.push_back(static_cast<std::uint32_t>(rng.below(5)));
    weight.push_back(static_cast<float>(w));
    std::vector<double> p(components);
    double sum = 0;
    for (double& x : p) sum += x = rng.gamma(0.3) + 1e-3;
    float* total = simplex[slot[o]] == 0 ? first.data() : second.data();
    for (std::size_t j = 0; j < components; ++j) {
      phi[o * width + j] = static_cast<float>(p[j] / sum);
      held[j] += static_cast<float>(w * p[j] / sum);
      count[slot[o] * width + j] += static_cast<float>(row_weight * w * p[j] / sum);
      total[j] += static_cast<float>(row_weight * w * p[j] / sum);
    }
  }

  [[nodiscard]] std::vector<double> of(const std::vector<float>& from, std::size_t at,
                                       double add = 0) const {
    std::vector<double> out;
    for (std::size_t j = 0; j < components; ++j)
      out.push_back(static_cast<double>(from[at * width + j]) + add);
    return out;
  }
  void put(const std::vector<double>& from, std::size_t at, double less, std::vector<float>& to) {
    for (std::size_t j = 0; j < components; ++j)
      to[at * width + j] = static_cast<float>(from[j] - less);
  }

  // The plain loop, cell after cell.
  CollapsedChange plainly() {
    CollapsedChange out;
    for (std::size_t o = 0; o < cells; ++o) {
      std::vector<float>& total = simplex[slot[o]] == 0 ? first : second;
      const double eta = static_cast<double>(prior[slot[o]]), w = static_cast<double>(weight[o]);
      reference::CollapsedObservation one{
          of(phi, o), of(held, 0), of(count, slot[o], eta), of(total, 0), w,
          row_weight, step,        warm ? 0.875 : 1.0};
      const double sum = reference::update_collapsed(one);
      out.log_sum += w * std::log(sum / (size - std::min(1.0, w)));
      const auto before = of(phi, o);
      for (std::size_t j = 0; j < components; ++j)
        out.moved += w * std::abs(one.phi[j] - before[j]);
      put(one.phi, o, 0, phi);
      put(one.row, 0, 0, held);
      put(one.slot, slot[o], eta, count);
      put(one.total, 0, 0, total);
    }
    return out;
  }

  // `half`: phi is kept in half precision meanwhile.
  CollapsedChange quickly(bool half = false) {
    float* const totals[] = {first.data(), second.data()};
    std::vector<Half> kept(phi.size());
    to_half(phi.data(), phi.size(), kept.data());
    const CollapsedChange out = update_collapsed(
        {slot.data(), weight.data(), phi.data(), room.data(), cells, half ? kept.data() : nullptr,
         static_cast<float>(step), warm},
        {held.data(), static_cast<float>(size), static_cast<float>(row_weight)},
        CollapsedTables{count.data(), prior.data(), simplex.data(), totals, width});
    if (half) from_half(kept.data(), kept.size(), phi.data());
    return out;
  }
};

void expect_equal(const std::vector<float>& a, const std::vector<float>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isinf(b[i])) {
      EXPECT_EQ(a[i], b[i]) << what;
    } else {
      EXPECT_NEAR(a[i], b[i], 2e-5 * (1 + std::abs(b[i]))) << what << " " << i;
    }
  }
}

void expect_plain_loop(std::size_t components, std::size_t cells, double row_weight, double step,
                       bool warm) {
  Stage quick(components, cells, row_weight);
  quick.step = step;
  quick.warm = warm;
  Stage plain = quick;
  const CollapsedChange a = quick.quickly(), b = plain.plainly();
  expect_equal(quick.phi, plain.phi, "phi");
  expect_equal(quick.held, plain.held, "row");
  expect_equal(quick.count, plain.count, "slots");
  expect_equal(quick.first, plain.first, "first total");
  expect_equal(quick.second, plain.second, "second total");
  EXPECT_NEAR(a.moved, b.moved, 1e-4 * (1 + b.moved));
  EXPECT_NEAR(a.log_sum, b.log_sum, 1e-4 * (1 + std::abs(b.log_sum)));
}

TEST(Collapsed, EqualsThePlainLoopOnEveryInstructionSet) {
  on_every_target([] {
    for (const std::size_t components : {1U, 2U, 7U, 8U, 9U, 24U, 50U}) {
      for (const std::size_t cells : {0U, 1U, 3U, 20U}) {
        for (const double row_weight : {1.0, 3.0, 0.25}) {
          expect_plain_loop(components, cells, row_weight, 1.0, false);
          expect_plain_loop(components, cells, row_weight, 1.8, false);
          expect_plain_loop(components, cells, row_weight, 1.0, true);
          expect_plain_loop(components, cells, row_weight, 1.4, true);
        }
      }
    }
  });
}

// What goes beyond is still a distribution, and none of it below 0.
TEST(Collapsed, ALongStepLeavesADistribution) {
  Stage stage(9, 20, 1.0);
  stage.step = 1.9;
  for (int i = 0; i < 5; ++i) stage.quickly();
  for (std::size_t o = 0; o < stage.cells; ++o) {
    double sum = 0;
    for (std::size_t k = 0; k < stage.width; ++k) {
      EXPECT_GE(stage.phi[o * stage.width + k], 0.0F);
      sum += double{stage.phi[o * stage.width + k]};
    }
    EXPECT_NEAR(sum, 1.0, 1e-5);
  }
}

// Close to the plain loop, and the counts moved by exactly what is kept.
TEST(Collapsed, InHalfPrecisionCountsFollowWhatIsKept) {
  on_every_target([] {
    for (const std::size_t components : {2U, 9U, 50U}) {
      Stage quick(components, 20, 1.0), plain(components, 20, 1.0);
      std::vector<Half> kept(quick.phi.size());
      to_half(quick.phi.data(), quick.phi.size(), kept.data());
      from_half(kept.data(), kept.size(), quick.phi.data());
      std::vector<double> expected(quick.held.begin(), quick.held.end());
      for (std::size_t i = 0; i < quick.phi.size(); ++i)
        expected[i % quick.width] -= double{quick.weight[i / quick.width]} * double{quick.phi[i]};
      quick.quickly(true);
      plain.plainly();
      for (std::size_t i = 0; i < quick.phi.size(); ++i) {
        EXPECT_NEAR(quick.phi[i], plain.phi[i], 2e-3);
        expected[i % quick.width] += double{quick.weight[i / quick.width]} * double{quick.phi[i]};
      }
      for (std::size_t k = 0; k < quick.width; ++k) EXPECT_NEAR(quick.held[k], expected[k], 1e-4);
    }
  });
}

// With the tables held: the same loop with counts so large that a cell does not show.
TEST(Collapsed, WithTablesHeldIsTheLimitOfManyCounts) {
  on_every_target([] {
    const std::size_t components = 19, cells = 12;
    Stage given(components, cells, 1.0);
    std::vector<float> table(5 * given.width, 0.0F);
    core::Rng rng(3, 1);
    for (std::size_t s = 0; s < 5; ++s) {
      for (std::size_t j = 0; j < components; ++j)
        table[s * given.width + j] = static_cast<float>(rng.uniform());
    }
    Stage plain = given;
    double log_sum = 0;
    for (std::size_t o = 0; o < cells; ++o) {
      const double many = 1e12, w = static_cast<double>(plain.weight[o]);
      auto counts = plain.of(table, plain.slot[o]);
      for (double& c : counts) c *= many;
      reference::CollapsedObservation one{plain.of(plain.phi, o),
                                          plain.of(plain.held, 0),
                                          counts,
                                          std::vector<double>(components, many),
                                          w,
                                          1.0};
      log_sum += w * std::log(reference::update_collapsed(one) / (plain.size - std::min(1.0, w)));
      plain.put(one.phi, o, 0, plain.phi);
      plain.put(one.row, 0, 0, plain.held);
    }
    const CollapsedChange change = update_collapsed(
        {given.slot.data(), given.weight.data(), given.phi.data(), given.room.data(), cells},
        {given.held.data(), static_cast<float>(given.size), 1.0F}, table.data(), given.width);
    expect_equal(given.phi, plain.phi, "phi");
    expect_equal(given.held, plain.held, "row");
    EXPECT_NEAR(change.log_sum, log_sum, 1e-4 * (1 + std::abs(log_sum)));
  });
}

}  // namespace
}  // namespace medley::kernels
