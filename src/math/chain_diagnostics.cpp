// SPDX-License-Identifier: Apache-2.0
#include "math/chain_diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>

#include "math/special.hpp"
#include "medley/error.hpp"

namespace medley::math {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewest = 4;  // draws per chain
// The probabilities of one standard deviation below and above the mean.
constexpr double kBelow = 0.1586553, kAbove = 0.8413447;

bool usable(const Chains& chains) {
  return !chains.empty() && chains.front().size() >= kFewest;
}

double mean(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double variance(std::span<const double> x) {
  const double centre = mean(x);
  double sum = 0;
  for (const double v : x) sum += (v - centre) * (v - centre);
  return sum / (static_cast<double>(x.size()) - 1);
}

std::vector<double> sorted(const Chains& chains) {
  std::vector<double> all;
  for (const auto& chain : chains) all.insert(all.end(), chain.begin(), chain.end());
  std::sort(all.begin(), all.end());
  return all;
}

// Linear between the ranks around 1 + (n - 1) p (type 7 of R).
double quantile(const std::vector<double>& ascending, double p) {
  const double n = static_cast<double>(ascending.size());
  const double place = n * p + 1 - p;
  const double below = std::floor(std::clamp(place, 1.0, n - 1));
  const double part = std::clamp(place - below, 0.0, 1.0);
  const auto at = integer_of<std::size_t>(below);
  return (1 - part) * ascending[at - 1] + part * ascending[at];
}

// The first and the last half of every chain; with an odd number the middle draw is dropped.
Chains halves(const Chains& chains) {
  Chains out;
  for (const auto& chain : chains) {
    const auto half = static_cast<std::ptrdiff_t>(chain.size() / 2);
    out.emplace_back(chain.begin(), chain.begin() + half);
    out.emplace_back(chain.end() - half, chain.end());
  }
  return out;
}

// The normal scores of the ranks: quantiles at (r - 3/8) / (S + 1/4). Equal draws share a rank.
Chains normal_scores(const Chains& chains) {
  const std::vector<double> all = sorted(chains);
  Chains out = chains;
  for (auto& chain : out) {
    for (double& x : chain) {
      const auto [first, last] = std::equal_range(all.begin(), all.end(), x);
      const double rank =
          0.5 * static_cast<double>((first - all.begin()) + 1 + (last - all.begin()));
      x = normal_quantile((rank - 0.375) / (static_cast<double>(all.size()) + 0.25));
    }
  }
  return out;
}

// The distance of every draw from the median.
Chains folded(Chains chains) {
  const double median = quantile(sorted(chains), 0.5);
  for (auto& chain : chains) {
    for (double& x : chain) x = std::abs(x - median);
  }
  return chains;
}

double plain_rhat(const Chains& chains) {
  const double n = static_cast<double>(chains.front().size());
  std::vector<double> means, variances;
  for (const auto& chain : chains) {
    means.push_back(mean(chain));
    variances.push_back(variance(chain));
  }
  return std::sqrt((n * variance(means) / mean(variances) + n - 1) / n);
}

// The autocorrelation of all chains together, from the variances within and between them.
class Autocorrelation {
 public:
  explicit Autocorrelation(const Chains& chains) : chains_(chains) {
    for (const auto& chain : chains) means_.push_back(mean(chain));
    const double n = static_cast<double>(draws());
    const double at_zero = covariance(0);
    within_ = at_zero * n / (n - 1);
    all_ = at_zero + (chains.size() > 1 ? variance(means_) : 0.0);
  }
  [[nodiscard]] std::size_t draws() const { return chains_.front().size(); }
  [[nodiscard]] double at(std::size_t lag) const { return 1 - (within_ - covariance(lag)) / all_; }

 private:
  [[nodiscard]] double covariance(std::size_t lag) const {
    double total = 0;
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      double sum = 0;
      for (std::size_t i = 0; i + lag < draws(); ++i)
        sum += (chains_[c][i] - means_[c]) * (chains_[c][i + lag] - means_[c]);
      total += sum / static_cast<double>(draws());
    }
    return total / static_cast<double>(chains_.size());
  }

  const Chains& chains_;
  std::vector<double> means_;
  double within_ = 0, all_ = 0;
};

// For a reversible chain the sums of neighbouring autocorrelations, (0, 1), (2, 3) ..., are
// positive and decreasing; the others are noise. The even half of the first pair left out still
// helps, if it is positive or if no lag follows it.
double plain_ess(const Chains& chains) {
  const double total = static_cast<double>(chains.size() * chains.front().size());
  const std::vector<double> all = sorted(chains);
  if (all.back() - all.front() < 1e-15) return total;
  const Autocorrelation correlation(chains);
  double even = 1, odd = correlation.at(1);
  double sum = 0, least = std::numeric_limits<double>::infinity();
  for (std::size_t lag = 1; lag + 3 < correlation.draws() && even + odd > 0; lag += 2) {
    least = std::min(least, even + odd);
    sum += least;
    even = correlation.at(lag + 1);
    odd = correlation.at(lag + 2);
  }
  const double left = even + odd > 0 ? even : std::max(even, 0.0);
  return total / std::max(2 * sum - 1 + left, 1 / std::log10(total));
}

}  // namespace

double rhat_bulk(const Chains& chains) {
  return usable(chains) ? plain_rhat(normal_scores(halves(chains))) : kUnknown;
}

double rhat_folded(const Chains& chains) {
  return usable(chains) ? plain_rhat(normal_scores(folded(halves(chains)))) : kUnknown;
}

// If the draws take only two values, in equal parts, all are equally far from the median: the fold
// gives no information, and the ranks alone decide.
double rhat(const Chains& chains) {
  const double bulk = rhat_bulk(chains), fold = rhat_folded(chains);
  return std::isnan(fold) ? bulk : std::max(bulk, fold);
}

double ess_bulk(const Chains& chains) {
  return usable(chains) ? plain_ess(normal_scores(halves(chains))) : kUnknown;
}

double ess_mean(const Chains& chains) {
  return usable(chains) ? plain_ess(halves(chains)) : kUnknown;
}

double ess_quantile(const Chains& chains, double p) {
  if (!usable(chains)) return kUnknown;
  const double limit = quantile(sorted(chains), p);
  Chains below = chains;
  for (auto& chain : below) {
    for (double& x : chain) x = x <= limit ? 1 : 0;
  }
  return plain_ess(halves(below));
}

double ess_tail(const Chains& chains) {
  return std::min(ess_quantile(chains, 0.05), ess_quantile(chains, 0.95));
}

double mcse_mean(const Chains& chains) {
  if (!usable(chains)) return kUnknown;
  return std::sqrt(variance(sorted(chains)) / ess_mean(chains));
}

double mcse_quantile(const Chains& chains, double p) {
  if (!usable(chains)) return kUnknown;
  const double ess = ess_quantile(chains, p);
  const std::vector<double> all = sorted(chains);
  const double n = static_cast<double>(all.size());
  const auto rank = [&](double probability) {
    return beta_quantile(ess * p + 1, ess * (1 - p) + 1, probability) * n - 1;
  };
  const auto low = nearest_integer_of<std::size_t>(std::floor(std::max(rank(kBelow), 0.0)));
  const auto high = nearest_integer_of<std::size_t>(std::ceil(std::min(rank(kAbove), n - 1)));
  return (all[high] - all[low]) / 2;
}

}  // namespace medley::math
