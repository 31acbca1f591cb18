// SPDX-License-Identifier: Apache-2.0
#include "report/words.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <tuple>

namespace medley::report {
namespace {

/// Indices of the `top` largest values, largest first; equal values in order of index.
std::vector<std::size_t> largest(const std::vector<double>& value, std::size_t top) {
  std::vector<std::size_t> order(value.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  top = std::min(top, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(top), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return value[a] != value[b] ? value[a] > value[b] : a < b;
                    });
  order.resize(top);
  return order;
}

/// Per value the share of values that are not larger: 1 for the largest, in (0, 1].
std::vector<double> rank_shares(const std::vector<double>& value) {
  std::vector<double> sorted = value;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> share(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto below = std::upper_bound(sorted.begin(), sorted.end(), value[i]) - sorted.begin();
    share[i] = static_cast<double>(below) / static_cast<double>(value.size());
  }
  return share;
}

double harmonic_mean(double a, double b) {
  return 1 / (0.5 / a + 0.5 / b);
}

std::vector<std::size_t> largest_means(const std::vector<double>& a, const std::vector<double>& b,
                                       std::size_t top) {
  std::vector<double> mean(a.size());
  for (std::size_t s = 0; s < mean.size(); ++s) mean[s] = harmonic_mean(a[s], b[s]);
  return largest(mean, top);
}

/// rank_shares of only the larger values: those above the value that a kTopPart of them reach.
struct TopShares {
  std::vector<double> share;  ///< 0 for the others
  double edge = 0;            ///< the others have this share at most
};

TopShares top_shares(const std::vector<double>& value) {
  constexpr std::size_t kTopPart = 8;
  const std::size_t count = value.size();
  std::vector<double> part = value;
  const auto nth = part.begin() + static_cast<std::ptrdiff_t>(count - count / kTopPart - 1);
  std::nth_element(part.begin(), nth, part.end());
  const double limit = *nth;
  std::vector<double> large;
  std::copy_if(nth, part.end(), std::back_inserter(large), [&](double v) { return v > limit; });
  std::sort(large.begin(), large.end());
  TopShares out{std::vector<double>(count, 0.0), 0};
  const auto all = static_cast<double>(count);
  out.edge = static_cast<double>(count - large.size()) / all;
  for (std::size_t i = 0; i < count; ++i) {
    if (!(value[i] > limit)) continue;
    const auto above = large.end() - std::upper_bound(large.begin(), large.end(), value[i]);
    out.share[i] = static_cast<double>(count - static_cast<std::size_t>(above)) / all;
  }
  return out;
}

/// The words with the largest harmonic mean of the two ranks. A word outside the larger values of
/// either ranking has a mean of at most 1 / (0.5 / edge + 0.5): if enough of those inside have
/// more, the others need no rank.
std::vector<std::size_t> frequent_and_exclusive(const std::vector<double>& probability,
                                                const std::vector<double>& exclusive,
                                                std::size_t top) {
  constexpr std::size_t kMany = 1000;
  if (probability.size() >= kMany) {
    const TopShares a = top_shares(probability), b = top_shares(exclusive);
    std::vector<double> mean(probability.size(), 0.0);
    for (std::size_t s = 0; s < mean.size(); ++s) {
      if (a.share[s] > 0 && b.share[s] > 0) mean[s] = harmonic_mean(a.share[s], b.share[s]);
    }
    std::vector<std::size_t> out = largest(mean, top);
    if (!out.empty() && mean[out.back()] > harmonic_mean(std::max(a.edge, b.edge), 1)) return out;
  }
  return largest_means(rank_shares(probability), rank_shares(exclusive), top);
}

}  // namespace

WordRanking::WordRanking(const model::ModelBlock& block)
    : block_(block), over_topics_(block.shape.slots()) {
  for (std::size_t s = 0; s < over_topics_.size(); ++s) {
    for (std::size_t k = 0; k < block.family->components(); ++k) {
      over_topics_[s] += block.probability(s, k);
    }
  }
  tokens_ = std::accumulate(block.total.begin(), block.total.end(), 0.0);
}

TopWords WordRanking::of(std::size_t component, double size, std::size_t top) const {
  const std::size_t words = over_topics_.size();
  std::vector<double> probability(words), exclusive(words), lift(words);
  for (std::size_t s = 0; s < words; ++s) {
    probability[s] = block_.probability(s, component);
    exclusive[s] = over_topics_[s] > 0 ? probability[s] / over_topics_[s] : 0;
    const double share = tokens_ > 0 ? block_.total[s] / tokens_ : 0;
    const bool often =
        probability[s] * tokens_ * size >= kEnoughOccurrences && probability[s] >= kEnoughShare;
    lift[s] = often && share > 0 ? probability[s] / share : 0;
  }
  TopWords out;
  out.probable = largest(probability, top);
  out.lifted = largest(lift, top);
  std::erase_if(out.lifted, [&](std::size_t s) { return lift[s] == 0; });
  out.frex = frequent_and_exclusive(probability, exclusive, top);
  // a word without a name is not shown
  const std::vector<std::string>& names = block_.shape.features.front().levels;
  const auto nameless = [&](std::size_t s) { return names[s].empty(); };
  for (auto* list : {&out.probable, &out.lifted, &out.frex}) std::erase_if(*list, nameless);
  return out;
}

namespace {

struct Word {
  std::uint32_t slot;
  double log_p, log_lift;
  bool often;
};

std::vector<Word> words_of(const model::ModelBlock& block, std::size_t component, double size) {
  const double tokens = std::accumulate(block.total.begin(), block.total.end(), 0.0);
  std::vector<Word> out;
  for (std::uint32_t slot = 0; slot < block.shape.slots(); ++slot) {
    const double p = block.probability(slot, component);
    if (!(p > 0) || !(block.total[slot] > 0)) continue;
    out.push_back({slot, std::log(p), std::log(p * tokens / block.total[slot]),
                   p * tokens * size >= kEnoughOccurrences});
  }
  return out;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> most_relevant(const model::ModelBlock& block,
                                                      std::size_t component, double size,
                                                      std::size_t top) {
  const std::vector<Word> words = words_of(block, component, size);
  std::vector<std::vector<std::uint32_t>> out(kLambdaStops);
  std::vector<std::tuple<bool, double, std::uint32_t>> ranked;  // rare, -relevance, slot
  for (std::size_t stop = 0; stop < kLambdaStops; ++stop) {
    const double lambda = static_cast<double>(stop) / (kLambdaStops - 1);
    ranked.clear();
    for (const Word& word : words) {
      const bool rare = !word.often && stop + 1 < kLambdaStops;
      ranked.emplace_back(rare, -(lambda * word.log_p + (1 - lambda) * word.log_lift), word.slot);
    }
    const std::size_t count = std::min(top, ranked.size());
    std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count),
                      ranked.end());
    for (std::size_t i = 0; i < count; ++i) out[stop].push_back(std::get<2>(ranked[i]));
  }
  return out;
}

}  // namespace medley::report
