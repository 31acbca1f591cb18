// SPDX-License-Identifier: Apache-2.0
#include "report/words.hpp"

#include <algorithm>
#include <numeric>

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
  const std::vector<double> by_frequency = rank_shares(probability),
                            by_exclusivity = rank_shares(exclusive);
  std::vector<double> frex(words);
  for (std::size_t s = 0; s < words; ++s) {
    frex[s] = 1 / (0.5 / by_frequency[s] + 0.5 / by_exclusivity[s]);
  }
  out.frex = largest(frex, top);
  return out;
}

}  // namespace medley::report
