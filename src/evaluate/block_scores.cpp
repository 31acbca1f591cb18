// SPDX-License-Identifier: Apache-2.0
#include "evaluate/block_scores.hpp"

#include <cmath>
#include <cstdint>

#include "core/task.hpp"

namespace medley::evaluation {
namespace {

// The data with nothing observed outside block b.
Dataset alone(const Dataset& data, std::size_t b) {
  Dataset out;
  out.rows = data.rows;
  out.row_weight = data.row_weight;
  out.schema = data.schema;
  for (std::size_t other = 0; other < data.blocks.size(); ++other) {
    out.blocks.push_back(other == b ? data.blocks[b] : data.blocks[other].shape());
    if (other != b) out.blocks.back().row_start.assign(data.rows + 1, 0);
  }
  return out;
}

double observed(const Block& block, std::size_t row) {
  double sum = 0;
  for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
    sum += static_cast<double>(block.weight_of(c));
  return sum;
}

std::vector<double> log_likelihoods(const Estimates& estimates) {
  std::vector<double> out;
  for (const RowEstimate& row : estimates.row) out.push_back(row.log_likelihood);
  return out;
}

BlockScore total(const Dataset& data, std::size_t b, std::span<const double> log_likelihood,
                 std::span<const double> baseline) {
  BlockScore out;
  out.block = data.blocks[b].name;
  std::vector<double> gain, size, weight;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    const double w = data.weight_of(row), m = observed(data.blocks[b], row);
    out.observations += w * m;
    out.log_likelihood += w * log_likelihood[row];
    out.baseline += w * baseline[row];
    gain.push_back(log_likelihood[row] - baseline[row]);
    size.push_back(m);
    weight.push_back(w);
  }
  const Gain above = gain_per_observation(gain, size, weight);
  out.above_baseline = above.per_observation;
  out.above_error = above.error;
  return out;
}

}  // namespace

Gain gain_per_observation(std::span<const double> gain, std::span<const double> observations,
                          std::span<const double> weight) {
  double gains = 0, total = 0, rows = 0;
  for (std::size_t i = 0; i < gain.size(); ++i) {
    gains += weight[i] * gain[i];
    total += weight[i] * observations[i];
    rows += observations[i] > 0 ? 1 : 0;
  }
  if (total <= 0) return {};
  Gain out{gains / total, 0};
  double squares = 0;
  for (std::size_t i = 0; i < gain.size(); ++i) {
    const double off = weight[i] * (gain[i] - out.per_observation * observations[i]);
    squares += off * off;
  }
  if (rows > 1) out.error = std::sqrt(squares * rows / (rows - 1)) / total;
  return out;
}

std::vector<double> baseline_of_block(const model::Parts& parts, const Dataset& data,
                                      std::size_t b) {
  const families::Family& marginal = *parts.blocks[b].marginal;
  std::vector<double> out(data.rows), sum(marginal.padded());
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    std::fill(sum.begin(), sum.end(), 0.0);
    marginal.add_log_rows(data.blocks[b], row, sum.data());
    out[row] = sum[0];
  }
  return out;
}

std::vector<BlockScore> block_scores(const model::ModelOnData& model, const Dataset& data,
                                     const Estimates& estimates, Estimator estimator,
                                     const EvaluateOptions& options) {
  std::vector<BlockScore> out;
  const Dataset& tested = estimates.tested ? *estimates.tested : data;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const std::vector<double> log_likelihood =
        estimator == Estimator::completion
            ? estimates.of_block[b]
            : log_likelihoods(estimate_rows(model, alone(data, b), estimator, options));
    out.push_back(total(tested, b, log_likelihood, baseline_of_block(model.parts(), tested, b)));
  }
  return out;
}

}  // namespace medley::evaluation
