// SPDX-License-Identifier: Apache-2.0
#include "model/sampled_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "data/distinct_cells.hpp"
#include "data/distinct_rows.hpp"
#include "math/log_mean.hpp"
#include "medley/error.hpp"
#include "model/row_chain.hpp"

namespace medley::model {
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
