// SPDX-License-Identifier: Apache-2.0
#include "engines/row_draws.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "kernels/lanes.hpp"

namespace medley::engines {
namespace {

constexpr std::uint64_t kDrawPurpose = 0x61;
constexpr std::size_t kChainsPerChunk = 32;
constexpr double kMostChainsPerRow = 32;

double chains_of(const Dataset& data, std::size_t row) {
  const double weight = data.weight_of(row);
  if (!(weight > 0) || !(data.observed(row) > 0)) return 0;
  return std::clamp(std::ceil(weight), 1.0, kMostChainsPerRow);
}

using LaneSums = std::array<float, kernels::kLanes>;

// part = held * likelihood, component by component; their sum in interleaved pieces.
LaneSums multiply(const float* held, const float* likelihood, std::span<float> part) {
  LaneSums sum{};
  for (std::size_t k = 0; k < part.size(); k += kernels::kLanes) {
    for (std::size_t j = 0; j < kernels::kLanes; ++j) {
      part[k + j] = held[k + j] * likelihood[k + j];
      sum[j] += part[k + j];
    }
  }
  return sum;
}

// k with a probability proportional to part[k]: first the piece, then the component within it.
std::size_t pick_component(const LaneSums& sum, std::span<const float> part, core::Rng& rng) {
  float total = 0;
  for (const float s : sum) total += s;
  float at = static_cast<float>(rng.bits()) * 0x1.0p-32F * total;
  std::size_t j = 0;
  while (j + 1 < kernels::kLanes && at >= sum[j]) at -= sum[j++];
  std::size_t last = part.size();
  for (std::size_t k = j; k < part.size(); k += kernels::kLanes) {
    if (part[k] <= 0) continue;
    last = k;
    if (at < part[k]) return k;
    at -= part[k];
  }
  if (last < part.size()) return last;  // rounding
  return static_cast<std::size_t>(std::ranges::max_element(part) - part.begin());
}

}  // namespace

RowDraws::RowDraws(const Dataset& data, std::size_t components, const Cells& cells,
                   std::uint64_t seed)
    : components_(components), padded_(kernels::padded(components)), seed_(seed), start_{0} {
  double all = 0;
  for (std::size_t row = 0; row < data.rows; ++row)
    all += chains_of(data, row) * data.observed(row);
  const double share = std::min(1.0, kMostObservations / std::max(all, 1.0));
  complete_ = share == 1;
  double due = 0.5;  // a chain is taken whenever this reaches 1
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    const std::size_t first_cell = cells_.weight.size();
    const double chains = chains_of(data, row);
    for (double i = 0; i < chains; ++i) {
      due += share;
      if (due < 1) continue;
      due -= 1;
      if (cells_.weight.size() == first_cell) cells(row, cells_);
      add_chain(first_cell);
      row_weight_.push_back(data.weight_of(row) / chains);
    }
  }
  z_.resize(cell_.size());
  count_.assign(chains() * padded_, 0.0F);
}

// Of the cells from the first given one to the end.
void RowDraws::add_chain(std::size_t first_cell) {
  double size = 0;
  for (std::size_t c = first_cell; c < cells_.weight.size(); ++c) {
    size += static_cast<double>(cells_.weight[c]);
    for (float left = cells_.weight[c]; left > 0; left -= 1) {
      cell_.push_back(static_cast<std::uint32_t>(c));
      weight_.push_back(std::min(1.0F, left));
    }
  }
  start_.push_back(cell_.size());
  size_.push_back(size);
}

void RowDraws::sweep(std::span<const double> alpha, std::size_t threads) {
  const std::size_t chunks = (chains() + kChainsPerChunk - 1) / kChainsPerChunk;
  core::parallel_for(chunks, threads, [&](std::size_t chunk, std::size_t) {
    std::vector<float> held(padded_), part(padded_);
    const std::size_t end = std::min(chains(), (chunk + 1) * kChainsPerChunk);
    for (std::size_t chain = chunk * kChainsPerChunk; chain < end; ++chain) {
      core::stop_if_asked();
      float* const count = &count_[chain * padded_];
      for (std::size_t k = 0; k < components_; ++k)
        held[k] = count[k] + static_cast<float>(alpha[k]);
      move(chain, held, part);
      std::fill_n(count, components_, 0.0F);
      for (std::uint64_t o = start_[chain]; o < start_[chain + 1]; ++o) count[z_[o]] += weight_[o];
    }
  });
  ++sweeps_;
}

// `held`: alpha + n, which moves along; `part`: working memory. Both padded K.
void RowDraws::move(std::size_t chain, std::span<float> held, std::span<float> part) {
  core::Rng rng(seed_, (static_cast<std::uint64_t>(sweeps_) << 8U) | kDrawPurpose, chain);
  for (std::uint64_t o = start_[chain]; o < start_[chain + 1]; ++o) {
    if (sweeps_ > 0) held[z_[o]] -= weight_[o];
    const LaneSums sum =
        multiply(held.data(), &cells_.likelihood[std::size_t{cell_[o]} * padded_], part);
    z_[o] = static_cast<std::uint32_t>(pick_component(sum, part.first(components_), rng));
    held[z_[o]] += weight_[o];
  }
}

}  // namespace medley::engines
