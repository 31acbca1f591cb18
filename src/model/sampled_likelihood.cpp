// SPDX-License-Identifier: Apache-2.0
#include "model/sampled_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "data/distinct_cells.hpp"
#include "data/distinct_rows.hpp"
#include "model/row_chain.hpp"

namespace medley::model {
namespace {

constexpr std::uint64_t kPurpose = 0x61;
constexpr std::size_t kRowChunk = 16;

struct Estimate {
  double log_mean = 0, variance = 0;  // of the logarithm, by the delta method
};

Estimate log_mean(const std::vector<double>& log_weight) {
  const auto count = static_cast<double>(log_weight.size());
  const double top = *std::ranges::max_element(log_weight);
  double sum = 0, squares = 0;
  for (const double w : log_weight) {
    const double relative = std::exp(w - top);
    sum += relative;
    squares += relative * relative;
  }
  const double mean = sum / count;
  const double variance = std::max(0.0, squares / count - mean * mean) / std::max(1.0, count - 1);
  return {top + std::log(mean), variance / (mean * mean)};
}

}  // namespace

SampledLikelihood sampled_likelihood(const EStepModel& model, const Dataset& data,
                                     std::size_t draws, std::uint64_t seed, std::size_t threads) {
  const data::DistinctRows distinct = data::distinct_rows(data);
  const Dataset& rows = distinct.data;
  const data::DistinctCells cells = data::distinct_cells(rows);
  const CellTable table(model, cells);
  std::vector<Estimate> found(rows.rows);
  const std::size_t chunks = (rows.rows + kRowChunk - 1) / kRowChunk;
  core::parallel_for(chunks, core::thread_count(threads), [&](std::size_t chunk, std::size_t) {
    RowChain chain(table, model.membership->parameters());
    std::vector<std::uint32_t> codes;
    std::vector<std::uint16_t> z;
    std::vector<double> log_weight(draws);
    for (std::size_t row = chunk * kRowChunk; row < std::min(rows.rows, (chunk + 1) * kRowChunk);
         ++row) {
      codes.clear();
      double scale = 0;
      for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
        const Block& block = rows.blocks[b];
        for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
          codes.insert(codes.end(), static_cast<std::size_t>(block.weight_of(c)), cells.code[b][c]);
      }
      if (codes.empty()) continue;
      for (const std::uint32_t code : codes) scale += table.log_scale[code];
      z.resize(codes.size());
      core::Rng rng(seed, kPurpose, row);
      for (double& w : log_weight) w = chain.draw(codes, rng, z) + scale;
      found[row] = log_mean(log_weight);
    }
  });
  SampledLikelihood out;
  double variance = 0;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const double weight = rows.weight_of(row);
    out.log_likelihood += weight * found[row].log_mean;
    variance += weight * weight * found[row].variance;
  }
  out.standard_error = std::sqrt(variance);
  return out;
}

}  // namespace medley::model
