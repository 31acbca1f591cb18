// SPDX-License-Identifier: Apache-2.0
#include "math/anderson.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/sums.hpp"

namespace medley::math {
namespace {

// Relative to the largest diagonal entry: differences that are nearly parallel say nothing more.
constexpr double kRidge = 1e-10;

// Solves A c = b for a small positive definite A by Gauss-Jordan elimination with pivots.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t count = b.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i + 1; r < count; ++r) {
      if (std::abs(a[r][i]) > std::abs(a[pivot][i])) pivot = r;
    }
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    for (std::size_t r = 0; r < count; ++r) {
      if (r == i || a[i][i] == 0) continue;
      const double factor = a[r][i] / a[i][i];
      for (std::size_t c = i; c < count; ++c) a[r][c] -= factor * a[i][c];
      b[r] -= factor * b[i];
    }
  }
  for (std::size_t i = 0; i < count; ++i) b[i] = a[i][i] == 0 ? 0.0 : b[i] / a[i][i];
  return b;
}

}  // namespace

void Anderson::add(std::vector<double> x, std::vector<double> g) {
  pairs_.push_back({std::move(x), std::move(g)});
  if (pairs_.size() > order_ + 1) pairs_.pop_front();
}

std::vector<double> Anderson::next() const {
  const std::size_t count = pairs_.size() - 1, size = pairs_.back().x.size();
  const auto residual = [&](std::size_t j, std::size_t i) {
    return pairs_[j].g[i] - pairs_[j].x[i];
  };
  std::vector<double> f(size);
  for (std::size_t i = 0; i < size; ++i) f[i] = residual(count, i);
  std::vector<std::vector<double>> change(count, std::vector<double>(size));
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < size; ++i) change[j][i] = residual(j + 1, i) - residual(j, i);
  }
  std::vector<std::vector<double>> gram(count, std::vector<double>(count));
  std::vector<double> right(count);
  double largest = 0;
  for (std::size_t j = 0; j < count; ++j) {
    right[j] = dot(change[j], f);
    for (std::size_t k = 0; k <= j; ++k) gram[j][k] = gram[k][j] = dot(change[j], change[k]);
    largest = std::max(largest, gram[j][j]);
  }
  for (std::size_t j = 0; j < count; ++j) gram[j][j] += kRidge * largest;
  const std::vector<double> c = solve(std::move(gram), std::move(right));
  std::vector<double> next = pairs_.back().g;
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < size; ++i) next[i] -= c[j] * (pairs_[j + 1].g[i] - pairs_[j].g[i]);
  }
  return next;
}

}  // namespace medley::math
