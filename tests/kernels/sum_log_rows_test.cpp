// SPDX-License-Identifier: Apache-2.0
// Sums of table rows against the plain loop, on every instruction set of this machine.
#include "kernels/sum_log_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.hpp"
#include "kernels/lanes.hpp"
#include "kernels/reference.hpp"
#include "support/on_every_target.hpp"

namespace medley::kernels {
namespace {

// Cells anywhere in a table of log probabilities, some of them more than once.
struct Problem {
  std::vector<std::vector<double>> table;
  std::vector<double> flat;
  std::vector<std::uint32_t> slot;
  std::vector<float> weight;

  Problem(std::size_t count, std::size_t components) {
    constexpr std::size_t kSlots = 40;
    core::Rng rng(count * 1000 + components, 5);
    table.resize(kSlots);
    for (auto& row : table) {
      for (std::size_t k = 0; k < components; ++k) row.push_back(-20.0 * rng.uniform());
      flat.insert(flat.end(), row.begin(), row.end());
      flat.resize(flat.size() + padded(components) - components, 0.0);
    }
    for (std::size_t o = 0; o < count; ++o) {
      slot.push_back(static_cast<std::uint32_t>(rng.below(kSlots)));
      weight.push_back(0.5F * static_cast<float>(1 + rng.below(9)));
    }
  }
};

void expect_equals_reference(std::size_t count, std::size_t components, bool weighted) {
  Problem p(count, components);
  if (!weighted) p.weight.clear();
  const auto expected = reference::add_rows(p.table, p.slot, p.weight);
  std::vector<double> total(padded(components), 3.0);
  add_rows(p.flat.data(), padded(components),
           {p.slot.data(), weighted ? p.weight.data() : nullptr, count}, total.data());
  for (std::size_t k = 0; k < total.size(); ++k) {
    const double truth = 3.0 + (k < components ? expected[k] : 0.0);
    EXPECT_NEAR(total[k], truth, 1e-14 * (3.0 + std::abs(truth)) * static_cast<double>(1 + count))
        << "component " << k << " of " << components << ", " << count << " cells";
  }
}

TEST(PooledRows, EqualThePlainLoopOnEveryInstructionSet) {
  test::on_every_target([] {
    for (const std::size_t components : {1U, 7U, 8U, 9U, 16U, 31U, 50U, 64U, 100U, 130U}) {
      for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 130U}) {
        for (const bool weighted : {false, true})
          expect_equals_reference(count, components, weighted);
      }
    }
  });
}

// What is added has an order: cells that cancel do so exactly where they follow one another.
TEST(PooledRows, CellsAreAddedInTheirOrder) {
  const std::vector<double> table = {1e16, 0, 0, 0, 0,   0, 0, 0, -1e16, 0, 0, 0,
                                     0,    0, 0, 0, 1.0, 0, 0, 0, 0,     0, 0, 0};
  test::on_every_target([&] {
    const std::vector<std::uint32_t> cancel_first = {0, 1, 2}, cancel_last = {0, 2, 1};
    std::vector<double> total(8, 0.0);
    add_rows(table.data(), 8, {cancel_first.data(), nullptr, 3}, total.data());
    EXPECT_EQ(total[0], 1.0);
    total.assign(8, 0.0);
    add_rows(table.data(), 8, {cancel_last.data(), nullptr, 3}, total.data());
    EXPECT_EQ(total[0], 0.0);
  });
}

}  // namespace
}  // namespace medley::kernels
