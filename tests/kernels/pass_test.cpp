// SPDX-License-Identifier: Apache-2.0
// The fast kernels against their plain-loop references, on every instruction set of this machine.
#include "kernels/pass.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.hpp"
#include "kernels/lanes.hpp"
#include "kernels/reference.hpp"
#include "support/on_every_target.hpp"

namespace medley::kernels {
namespace {

using test::on_every_target;

struct Problem {
  std::vector<std::vector<double>> rows;
  std::vector<double> weight, e;
};

Problem random_problem(std::uint64_t seed, std::size_t count, std::size_t components) {
  core::Rng rng(seed, 1);
  Problem p;
  for (std::size_t o = 0; o < count; ++o) {
    p.weight.push_back(1.0 + static_cast<double>(rng.below(5)));
    std::vector<double> row;
    for (std::size_t k = 0; k < components; ++k) row.push_back(rng.uniform());
    row[rng.below(components)] = 1.0;
    p.rows.push_back(row);
  }
  for (std::size_t k = 0; k < components; ++k) p.e.push_back(rng.uniform());
  return p;
}

template <class T>
std::vector<T> flat(const Problem& p, std::size_t width) {
  std::vector<T> out;
  for (const auto& row : p.rows) {
    for (std::size_t k = 0; k < width; ++k)
      out.push_back(k < row.size() ? static_cast<T>(row[k]) : T{0});
  }
  return out;
}

template <class T>
std::vector<T> as(const std::vector<double>& x, std::size_t width) {
  std::vector<T> out(width, T{0});
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = static_cast<T>(x[i]);
  return out;
}

template <class T>
void expect_pass_equals_reference(std::size_t count, std::size_t components, double tolerance) {
  const Problem p = random_problem(count * 1000 + components, count, components);
  const auto expected = reference::pass(p.rows, p.weight, p.e);
  const std::size_t width = padded(components);
  const auto rows = flat<T>(p, width);
  const auto weight = as<T>(p.weight, count);
  const auto e = as<T>(p.e, width);
  std::vector<T> norm(count), out(width, T{-1});
  const T smallest =
      pass(rows.data(), weight.data(), count, width, e.data(), norm.data(), out.data());
  EXPECT_NEAR(static_cast<double>(smallest), expected.smallest, tolerance);
  for (std::size_t o = 0; o < count; ++o)
    EXPECT_NEAR(norm[o], expected.norm[o], tolerance * expected.norm[o]);
  for (std::size_t k = 0; k < width; ++k) {
    const double truth = k < components ? expected.out[k] : 0.0;
    EXPECT_NEAR(out[k], truth, tolerance * (1.0 + truth))
        << "component " << k << " of " << components;
  }
}

TEST(Pass, EqualsThePlainLoopOnEveryInstructionSet) {
  on_every_target([] {
    for (const std::size_t components : {1U, 2U, 7U, 8U, 9U, 16U, 31U, 32U, 33U, 50U, 100U}) {
      for (const std::size_t count : {0U, 1U, 3U, 4U, 5U, 16U, 130U}) {
        expect_pass_equals_reference<float>(count, components, 2e-5);
        expect_pass_equals_reference<double>(count, components, 1e-12);
      }
    }
  });
}

// A row in float is exactly what it is; only the sums are to be in double.
template <class R>
void expect_norms_equal_reference(std::size_t count, std::size_t components) {
  Problem p = random_problem(count * 1000 + components, count, components);
  for (auto& row : p.rows) {
    for (double& x : row) x = static_cast<double>(static_cast<R>(x));
  }
  const auto expected = reference::pass(p.rows, p.weight, p.e);
  const std::size_t width = padded(components);
  const auto rows = flat<R>(p, width);
  const auto e = as<double>(p.e, width);
  std::vector<double> norm(count);
  const double smallest = norms(rows.data(), count, width, e.data(), norm.data());
  EXPECT_NEAR(smallest, expected.smallest, 1e-12);
  for (std::size_t o = 0; o < count; ++o)
    EXPECT_NEAR(norm[o], expected.norm[o], 1e-13 * expected.norm[o]);
}

TEST(Norms, EqualThePlainLoopOnEveryInstructionSet) {
  on_every_target([] {
    for (const std::size_t components : {1U, 7U, 8U, 9U, 33U, 100U}) {
      for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 5U, 130U}) {
        expect_norms_equal_reference<float>(count, components);
        expect_norms_equal_reference<double>(count, components);
      }
    }
  });
}

TEST(Pass, SumLogEqualsStandardLog) {
  on_every_target([] {
    for (const std::size_t count : {0U, 1U, 5U, 8U, 37U}) {
      core::Rng rng(count, 2);
      std::vector<double> norm, weight;
      double expected = 0;
      for (std::size_t o = 0; o < count; ++o) {
        norm.push_back(std::exp(-50.0 * rng.uniform()));
        weight.push_back(rng.uniform() * 3);
        expected += weight[o] * std::log(norm[o]);
      }
      EXPECT_NEAR(sum_log(norm.data(), weight.data(), count), expected,
                  1e-12 * (1 + std::abs(expected)));
    }
  });
}

template <class V>
void expect_accumulate_equals_reference(std::size_t components) {
  const std::size_t rows = 50, width = padded(components), cells = 1000;
  core::Rng rng(7, 3);
  std::vector<std::vector<double>> vectors(rows, std::vector<double>(width, 0.0));
  std::vector<V> flat_vectors;
  for (auto& v : vectors) {
    for (std::size_t k = 0; k < components; ++k)
      v[k] = static_cast<double>(static_cast<V>(rng.uniform()));
    flat_vectors.insert(flat_vectors.end(), v.begin(), v.end());
  }
  std::vector<std::uint32_t> row, cell;
  std::vector<double> coefficient(cells);
  for (std::size_t c = 0; c < cells; ++c) {
    coefficient[c] = rng.uniform();
    row.push_back(static_cast<std::uint32_t>(rng.below(rows)));
    cell.push_back(static_cast<std::uint32_t>(rng.below(cells)));
  }
  const auto expected = reference::accumulate(vectors, row, cell, coefficient);
  std::vector<double> out(width, 0.0);
  accumulate(flat_vectors.data(), width, row.data(), cell.data(), coefficient.data(), cells,
             out.data());
  for (std::size_t k = 0; k < width; ++k)
    EXPECT_NEAR(out[k], expected[k], 1e-12 * (1 + expected[k]));
}

TEST(Accumulate, EqualsThePlainLoopOnEveryInstructionSet) {
  on_every_target([] {
    for (const std::size_t components : {1U, 19U, 50U, 100U}) {
      expect_accumulate_equals_reference<double>(components);
      expect_accumulate_equals_reference<float>(components);
    }
  });
}

}  // namespace
}  // namespace medley::kernels
