// SPDX-License-Identifier: Apache-2.0
#include "engines/batch_plan.hpp"

#include <algorithm>

#include "core/rng.hpp"
#include "core/task.hpp"
#include "engines/starts.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kBlocksPerBatch = 64;
constexpr std::size_t kMostRowsPerBlock = 64;

std::uint64_t purpose(Purpose what, std::size_t pass) {
  return (static_cast<std::uint64_t>(pass) << 32U) | static_cast<std::uint64_t>(what);
}

// Blocks of rows by their numbers as ranges, neighbours joined.
std::vector<RowRange> as_ranges(std::vector<std::uint64_t> blocks, std::size_t size,
                                std::size_t rows) {
  std::ranges::sort(blocks);
  std::vector<RowRange> out;
  for (const std::uint64_t block : blocks) {
    const std::size_t begin = block * size, end = std::min(rows, begin + size);
    if (!out.empty() && out.back().end == begin) {
      out.back().end = end;
    } else {
      out.push_back({begin, end});
    }
  }
  return out;
}

}  // namespace

BatchPlan::BatchPlan(std::size_t rows, std::size_t batch, std::uint64_t seed)
    : rows_(rows),
      block_(std::clamp<std::size_t>(batch / kBlocksPerBatch, 1, kMostRowsPerBlock)),
      blocks_((rows + block_ - 1) / block_),
      steps_(std::max<std::size_t>(1, (rows + batch / 2) / batch)),
      seed_(seed) {}

std::vector<RowRange> BatchPlan::ranges(std::size_t pass, std::size_t step) const {
  const core::Permutation order(blocks_, seed_, purpose(Purpose::minibatches, pass));
  std::vector<std::uint64_t> blocks;
  for (std::size_t i = blocks_ * step / steps_; i < blocks_ * (step + 1) / steps_; ++i)
    blocks.push_back(order(i));
  return as_ranges(std::move(blocks), block_, rows_);
}

std::vector<RowRange> spread_sample(std::size_t rows, std::size_t count, std::uint64_t seed) {
  constexpr std::size_t kBlock = 16;
  if (rows <= count) return {{0, rows}};
  const std::size_t blocks = (rows + kBlock - 1) / kBlock;
  const core::Permutation order(blocks, seed, purpose(Purpose::sampled_rows, 0));
  std::vector<std::uint64_t> chosen;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, (count + kBlock - 1) / kBlock); ++i)
    chosen.push_back(order(i));
  return as_ranges(std::move(chosen), kBlock, rows);
}

}  // namespace medley::engines

namespace medley {

Dataset sample_rows(const RowSource& rows, std::size_t count, std::uint64_t seed,
                    const Hooks& hooks) {
  const core::Task task(hooks);
  const core::Stage stage("reading");
  return rows.batch(engines::spread_sample(rows.rows(), count, seed));
}

}  // namespace medley
