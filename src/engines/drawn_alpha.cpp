// SPDX-License-Identifier: Apache-2.0
#include "engines/drawn_alpha.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
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

}  // namespace medley::engines
