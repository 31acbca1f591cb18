// SPDX-License-Identifier: Apache-2.0
#include "evaluate/row_observations.hpp"

#include <algorithm>
#include <cmath>

namespace medley::evaluation {

void RowObservations::gather(std::span<const families::Family* const> families, const Dataset& data,
                             std::size_t row) {
  components = families.front()->components();
  padded = families.front()->padded();
  weight.clear();
  log_scale = 0;
  total = 0;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    const std::size_t first = weight.size();
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      weight.push_back(static_cast<double>(block.weight_of(c)));
      total += weight.back();
    }
    rows.resize(weight.size() * padded);
    log_scale += families[b]->likelihood_rows(block, row, rows.data() + first * padded);
  }
}

RowEstimate log_mean(std::span<const double> log_weight) {
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
  return {top + std::log(mean), std::sqrt(variance) / mean, sum * sum / squares};
}

}  // namespace medley::evaluation
