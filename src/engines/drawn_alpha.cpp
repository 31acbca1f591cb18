// SPDX-License-Identifier: Apache-2.0
#include "engines/drawn_alpha.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "kernels/lanes.hpp"
#include "math/dirichlet.hpp"
#include "math/special.hpp"

namespace medley::engines {
namespace {

// Sweeps at the alpha that is given, then such that move it, then such whose alpha is averaged.
constexpr int kStill = 5, kMoving = 15, kAveraged = 10;
// How much a sweep counts in the mean of a row's slope.
constexpr double kFresh = 0.2;
// The information of the rows is taken for at least this part of that of the drawn counts.
constexpr double kLeastInformation = 0.1;
constexpr double kLongestStep = 0.7;  // of log alpha_0
constexpr std::size_t kScoreChunk = 64;

struct Slopes {
  std::vector<double>
      rise;          // K: sum over rows of alpha_k (digamma(n + alpha_k) - digamma(alpha_k))
  double along = 0;  // of log alpha_0
  double products = 0, squares = 0;  // of g_i with its mean so far, and with itself
};

class Ascent {
 public:
  Ascent(const RowDraws& draws, std::span<const double> alpha, AlphaMode mode, std::size_t threads)
      : draws_(draws),
        proportions_(mode == AlphaMode::fitted && draws.complete()),
        threads_(threads),
        alpha_(alpha.begin(), alpha.end()),
        mean_(draws.chains(), 0.0) {}

  [[nodiscard]] const std::vector<double>& alpha() const { return alpha_; }

  /// Takes in what has been drawn.
  void look() { slopes_ = all_rows(); }
  /// Moves alpha by it.
  void step() {
    const double information = std::max(slopes_.products, kLeastInformation * slopes_.squares);
    if (!(information > 0)) return;
    const double longer =
        std::exp(std::clamp(slopes_.along / information, -kLongestStep, kLongestStep));
    const double before = std::accumulate(alpha_.begin(), alpha_.end(), 0.0);
    const double rise = std::accumulate(slopes_.rise.begin(), slopes_.rise.end(), 0.0);
    for (std::size_t k = 0; k < alpha_.size(); ++k) {
      const double share = proportions_ ? slopes_.rise[k] / rise : alpha_[k] / before;
      alpha_[k] = std::clamp(before * longer * share, math::kAlphaFloor, math::kAlphaCap);
    }
  }

 private:
  Slopes all_rows() {
    const std::size_t chunks = (draws_.chains() + kScoreChunk - 1) / kScoreChunk;
    std::vector<Slopes> part(chunks);
    std::vector<double> psi;
    for (const double a : alpha_) psi.push_back(math::digamma(a));
    const double alpha_0 = std::accumulate(alpha_.begin(), alpha_.end(), 0.0);
    core::parallel_for(chunks, threads_, [&](std::size_t chunk, std::size_t) {
      part[chunk].rise.assign(alpha_.size(), 0.0);
      const std::size_t end = std::min(draws_.chains(), (chunk + 1) * kScoreChunk);
      for (std::size_t c = chunk * kScoreChunk; c < end; ++c) add(c, psi, alpha_0, part[chunk]);
    });
    Slopes sum;
    sum.rise.assign(alpha_.size(), 0.0);
    for (const Slopes& one : part) {
      for (std::size_t k = 0; k < alpha_.size(); ++k) sum.rise[k] += one.rise[k];
      sum.along += one.along;
      sum.products += one.products;
      sum.squares += one.squares;
    }
    ++looks_;
    return sum;
  }

  void add(std::size_t chain, std::span<const double> psi, double alpha_0, Slopes& into) {
    const std::span<const float> count = draws_.counts(chain);
    const double weight = draws_.weight(chain);
    double g = -alpha_0 * (math::digamma(draws_.size(chain) + alpha_0) - math::digamma(alpha_0));
    for (std::size_t k = 0; k < count.size(); ++k) {
      if (count[k] <= 0) continue;
      const double rise =
          alpha_[k] * (math::digamma(static_cast<double>(count[k]) + alpha_[k]) - psi[k]);
      into.rise[k] += weight * rise;
      g += rise;
    }
    into.along += weight * g;
    into.products += weight * g * mean_[chain];
    into.squares += weight * g * g;
    mean_[chain] += std::max(kFresh, 1.0 / static_cast<double>(looks_ + 1)) * (g - mean_[chain]);
  }

  const RowDraws& draws_;
  bool proportions_;  // whether they move
  std::size_t threads_;
  std::vector<double> alpha_, mean_;  // mean_: chains, of g_i over the latest sweeps
  std::size_t looks_ = 0;
  Slopes slopes_;
};

}  // namespace

std::vector<double> drawn_alpha(RowDraws& draws, std::span<const double> alpha, AlphaMode mode,
                                std::size_t threads) {
  Ascent ascent(draws, alpha, mode, threads);
  if (draws.chains() == 0) return ascent.alpha();
  std::vector<double> mean(alpha.size(), 0.0);  // of log alpha
  for (int sweep = 0; sweep < kStill + kMoving + kAveraged; ++sweep) {
    draws.sweep(ascent.alpha(), threads);
    ascent.look();
    if (sweep >= kStill) ascent.step();
    if (sweep < kStill + kMoving) continue;
    for (std::size_t k = 0; k < mean.size(); ++k)
      mean[k] += std::log(ascent.alpha()[k]) / kAveraged;
  }
  for (double& a : mean) a = std::exp(a);
  return mean;
}

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
