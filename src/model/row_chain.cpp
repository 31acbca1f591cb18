// SPDX-License-Identifier: Apache-2.0
#include "model/row_chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "data/distinct.hpp"
#include "math/logs.hpp"
#include "medley/error.hpp"

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

// Draws k with probability weight_k / total.
std::size_t RowChain::pick(double total, core::Rng& rng) const {
  double at = rng.uniform() * total;
  std::size_t k = 0;
  while (k + 1 < weight_.size() && at >= weight_[k]) at -= weight_[k++];
  return k;
}

// Goes through the cells from `first` on, wrapping at the end. With a generator it draws z, without
// one it follows z. Returns the logarithm of the product of the normalisers.
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

namespace {

constexpr std::uint64_t kPurpose = 0x61;
constexpr std::size_t kSampledRowChunk = 16;

}  // namespace

SampledLikelihood sampled_likelihood(const EStepModel& model, const Dataset& data,
                                     std::size_t draws, std::uint64_t seed, std::size_t threads) {
  const data::DistinctRows distinct = data::distinct_rows(data);
  const Dataset& rows = distinct.data;
  const data::DistinctCells cells = data::distinct_cells(rows);
  const CellTable table(model, cells);
  std::vector<math::LogMean> found(rows.rows);
  const std::size_t chunks = (rows.rows + kSampledRowChunk - 1) / kSampledRowChunk;
  core::parallel_for(chunks, core::thread_count(threads), [&](std::size_t chunk, std::size_t) {
    RowChain chain(table, model.membership->parameters());
    std::vector<std::uint32_t> codes;
    std::vector<std::uint16_t> z;
    std::vector<double> log_weight(draws);
    for (std::size_t row = chunk * kSampledRowChunk;
         row < std::min(rows.rows, (chunk + 1) * kSampledRowChunk); ++row) {
      codes.clear();
      double scale = 0;
      for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
        const Block& block = rows.blocks[b];
        for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
          codes.insert(codes.end(), integer_of<std::size_t>(block.weight_of(c)), cells.code[b][c]);
      }
      if (codes.empty()) continue;
      for (const std::uint32_t code : codes) scale += table.log_scale[code];
      z.resize(codes.size());
      core::Rng rng(seed, kPurpose, row);
      for (double& w : log_weight) w = chain.draw(codes, rng, z) + scale;
      found[row] = math::log_mean(log_weight);
    }
  });
  SampledLikelihood out;
  double variance = 0;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    core::stop_if_asked();
    const double weight = rows.weight_of(row);
    out.log_likelihood += weight * found[row].value;
    variance += std::pow(weight * found[row].standard_error, 2);
  }
  out.standard_error = std::sqrt(variance);
  return out;
}

}  // namespace medley::model
