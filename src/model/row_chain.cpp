// SPDX-License-Identifier: Apache-2.0
#include "model/row_chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/log_product.hpp"
#include "math/log_sum_exp.hpp"

namespace medley::model {

RowChain::RowChain(const CellTable& table, std::span<const double> alpha)
    : table_(table),
      alpha_(alpha),
      alpha_sum_(std::accumulate(alpha.begin(), alpha.end(), 0.0)),
      count_(alpha.size()),
      weight_(alpha.size()) {}

void RowChain::count(Components z) {
  std::ranges::fill(count_, 0.0);
  for (const std::uint16_t k : z) count_[k] += 1;
}

// k with probability weight_k / total.
std::size_t RowChain::pick(double total, core::Rng& rng) const {
  double at = rng.uniform() * total;
  std::size_t k = 0;
  while (k + 1 < weight_.size() && at >= weight_[k]) at -= weight_[k++];
  return k;
}

// Goes through the cells from `first` on, round the end; draws z where a generator is given, and
// follows it where not. Returns the logarithm of the product of the normalisers.
double RowChain::sequential(Cells cells, std::size_t first, core::Rng* rng, Components z) {
  std::ranges::fill(count_, 0.0);
  math::LogProduct product;
  for (std::size_t i = 0, o = first; i < cells.size(); ++i, o = o + 1 < cells.size() ? o + 1 : 0) {
    const double* l = table_.of(cells[o]);
    double total = 0;
    for (std::size_t k = 0; k < weight_.size(); ++k)
      total += weight_[k] = (alpha_[k] + count_[k]) * l[k];
    product.add(total / (alpha_sum_ + static_cast<double>(i)));
    if (rng != nullptr) z[o] = static_cast<std::uint16_t>(pick(total, *rng));
    count_[z[o]] += 1;
  }
  return product.log();
}

double RowChain::draw(Cells cells, core::Rng& rng, Components z) {
  return sequential(cells, 0, &rng, z);
}

double RowChain::renew(Cells cells, core::Rng& rng, Components z) {
  if (cells.empty()) return 0;
  const std::size_t first = rng.below(cells.size());
  proposed_.resize(z.size());
  const double there = sequential(cells, first, &rng, proposed_);
  const double here = sequential(cells, first, nullptr, z);
  if (std::log(rng.uniform()) < there - here) std::ranges::copy(proposed_, z.begin());
  return there;
}

void RowChain::relabel(Cells cells, core::Rng& rng, Components z) {
  count(z);
  const std::size_t from = rng.below(count_.size());
  if (count_[from] == 0) return;
  for (std::size_t k = 0; k < weight_.size(); ++k) {
    weight_[k] = -std::numeric_limits<double>::infinity();
    if (k != from && count_[k] > 0) continue;
    double log = 0;
    for (std::size_t o = 0; o < cells.size(); ++o)
      if (z[o] == from) log += std::log(std::max(table_.of(cells[o])[k], 1e-300));
    for (double t = 0; t < count_[from]; ++t) log += std::log(alpha_[k] + t);
    weight_[k] = log;
  }
  math::softmax(weight_);
  const std::size_t to = pick(1.0, rng);
  std::ranges::replace(z, static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to));
}

void RowChain::sweep(Cells cells, core::Rng& rng, Components z, double weight, std::size_t width,
                     double* sums) {
  count(z);
  for (std::size_t o = 0; o < cells.size(); ++o) {
    count_[z[o]] -= 1;
    const double* l = table_.of(cells[o]);
    double total = 0;
    for (std::size_t k = 0; k < weight_.size(); ++k)
      total += weight_[k] = (alpha_[k] + count_[k]) * l[k];
    for (std::size_t k = 0; k < weight_.size() && sums != nullptr; ++k)
      sums[std::size_t{cells[o]} * width + k] += weight * weight_[k] / total;
    z[o] = static_cast<std::uint16_t>(pick(total, rng));
    count_[z[o]] += 1;
  }
}

}  // namespace medley::model
