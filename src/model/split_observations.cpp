// SPDX-License-Identifier: Apache-2.0
#include "model/split_observations.hpp"

#include <algorithm>

#include "core/task.hpp"
#include "kernels/pass.hpp"

namespace medley::model {
namespace {

void append(const Block& from, std::uint64_t cell, float weight, Block& to) {
  to.slot.push_back(from.slot[cell]);
  if (!from.value.empty()) to.value.push_back(from.value[cell]);
  if (!from.weight.empty()) to.weight.push_back(weight);
}

// The rows without their cells.
Dataset bare(const Dataset& data) {
  Dataset out;
  out.rows = data.rows;
  out.row_weight = data.row_weight;
  out.schema = data.schema;
  for (const Block& block : data.blocks) out.blocks.push_back(block.shape());
  return out;
}

// Splits the cells of one row. A cell of weight w is split into ceil(w) steps, the last of which
// may be a fraction, because tempered blocks have such weights.
void deal_row(const Block& block, std::size_t b, std::size_t row, core::Rng& rng,
              std::vector<Dataset>& parts) {
  std::vector<float> share(parts.size());
  for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
    std::fill(share.begin(), share.end(), 0.0F);
    for (float left = block.weight_of(c); left > 0; left -= 1.0F)
      share[rng.below(parts.size())] += std::min(left, 1.0F);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (share[p] > 0) append(block, c, share[p], parts[p].blocks[b]);
    }
  }
  for (Dataset& part : parts) part.blocks[b].row_start.push_back(part.blocks[b].slot.size());
}

}  // namespace

std::vector<Dataset> split_observations(const Dataset& data, std::size_t parts, std::uint64_t seed,
                                        std::uint64_t purpose) {
  std::vector<Dataset> out(parts, bare(data));
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    core::Rng rng(seed, purpose, row);
    for (std::size_t b = 0; b < data.blocks.size(); ++b) deal_row(data.blocks[b], b, row, rng, out);
  }
  return out;
}

Dataset without(const std::vector<Dataset>& parts, std::size_t left_out) {
  Dataset out = bare(parts.front());
  for (std::size_t b = 0; b < out.blocks.size(); ++b) {
    Block& to = out.blocks[b];
    for (std::size_t row = 0; row < out.rows; ++row) {
      core::stop_if_asked();
      for (std::size_t p = 0; p < parts.size(); ++p) {
        if (p == left_out) continue;
        const Block& from = parts[p].blocks[b];
        for (std::uint64_t c = from.row_start[row]; c < from.row_start[row + 1]; ++c)
          append(from, c, from.weight_of(c), to);
      }
      to.row_start.push_back(to.slot.size());
    }
  }
  return out;
}

void empty_short_rows(const Dataset& data, std::size_t parts, Dataset& tested) {
  for (Block& block : tested.blocks) {
    Block kept = block.shape();
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      if (data.observed(row) >= static_cast<double>(parts)) {
        for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
          append(block, c, block.weight_of(c), kept);
      }
      kept.row_start.push_back(kept.slot.size());
    }
    block = std::move(kept);
  }
}

double score_cells(const families::Family& family, const Block& block, std::size_t row,
                   const std::vector<double>& share) {
  const std::size_t count = block.row_start[row + 1] - block.row_start[row];
  std::vector<double> rows(count * share.size()), norm(count), weight(count);
  for (std::size_t o = 0; o < count; ++o)
    weight[o] = static_cast<double>(block.weight_of(block.row_start[row] + o));
  const double log_scale = family.likelihood_rows(block, row, rows.data());
  kernels::norms(rows.data(), count, share.size(), share.data(), norm.data());
  return log_scale + kernels::sum_log(norm.data(), weight.data(), count);
}

}  // namespace medley::model
