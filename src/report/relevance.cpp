// SPDX-License-Identifier: Apache-2.0
#include "report/relevance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "report/words.hpp"

namespace medley::report {
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
