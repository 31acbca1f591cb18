// SPDX-License-Identifier: Apache-2.0
#include "evaluate/topic_quality.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace medley::evaluation {
namespace {

constexpr std::uint32_t kNotTop = std::numeric_limits<std::uint32_t>::max();

// In how many documents each of some words, and each pair of them, occurs.
class DocumentCounts {
 public:
  // place: per slot, its number among the words counted, or kNotTop.
  DocumentCounts(const Block& documents, const std::vector<std::uint32_t>& place, std::size_t words)
      : words_(words), together_(words * words, 0) {
    std::vector<std::uint32_t> here;
    for (std::size_t row = 0; row + 1 < documents.row_start.size(); ++row) {
      here.clear();
      for (std::uint64_t c = documents.row_start[row]; c < documents.row_start[row + 1]; ++c) {
        if (place[documents.slot[c]] != kNotTop) here.push_back(place[documents.slot[c]]);
      }
      if (documents.row_start[row] < documents.row_start[row + 1]) ++documents_;
      for (const std::uint32_t a : here) {
        for (const std::uint32_t b : here) ++together_[a * words_ + b];
      }
    }
  }
  [[nodiscard]] double of(std::uint32_t a, std::uint32_t b) const {
    return static_cast<double>(together_[a * words_ + b]);
  }
  [[nodiscard]] double of(std::uint32_t a) const { return of(a, a); }
  [[nodiscard]] double documents() const { return static_cast<double>(documents_); }

 private:
  std::size_t words_;
  std::size_t documents_ = 0;
  std::vector<std::uint32_t> together_;
};

std::vector<std::uint32_t> top_words(const std::vector<double>& probability, std::size_t components,
                                     std::size_t component, std::size_t top) {
  std::vector<std::uint32_t> order(probability.size() / components);
  std::iota(order.begin(), order.end(), 0U);
  top = std::min(top, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(top), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      const double x = probability[a * components + component];
                      const double y = probability[b * components + component];
                      return x != y ? x > y : a < b;
                    });
  order.resize(top);
  return order;
}

double npmi(double both, double a, double b, double documents) {
  if (both == 0) return -1;
  if (both == documents) return 1;
  const double p = both / documents;
  return std::log(p * documents * documents / (a * b)) / -std::log(p);
}

// Both coherences: the mean over pairs of words that occur, likelier word first.
void add_coherence(const std::vector<std::uint32_t>& words, const DocumentCounts& counts,
                   TopicScores& scores) {
  double umass = 0, npmi_sum = 0, pairs = 0;
  for (std::size_t j = 1; j < words.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const double a = counts.of(words[i]), b = counts.of(words[j]);
      if (a == 0 || b == 0) continue;
      const double both = counts.of(words[i], words[j]);
      umass += std::log((both + 1) / a);
      npmi_sum += npmi(both, a, b, counts.documents());
      ++pairs;
    }
  }
  if (pairs == 0) return;
  scores.umass = umass / pairs;
  scores.npmi = npmi_sum / pairs;
}

}  // namespace

BlockTopics topic_quality(const std::vector<double>& probability, std::size_t components,
                          const Block& documents, std::size_t top) {
  std::vector<std::vector<std::uint32_t>> words;
  std::vector<std::uint32_t> place(probability.size() / components, kNotTop);
  std::uint32_t different = 0;
  std::size_t listed = 0;
  for (std::size_t k = 0; k < components; ++k) {
    words.push_back(top_words(probability, components, k, top));
    listed += words.back().size();
    for (const std::uint32_t slot : words.back()) {
      if (place[slot] == kNotTop) place[slot] = different++;
    }
  }
  const DocumentCounts counts(documents, place, different);
  BlockTopics out;
  out.diversity = listed > 0 ? static_cast<double>(different) / static_cast<double>(listed) : 1.0;
  for (std::size_t k = 0; k < components; ++k) {
    TopicScores& scores = out.topic.emplace_back();
    for (std::uint32_t& slot : words[k]) {
      const double* p = &probability[slot * components];
      scores.exclusivity +=
          p[k] / std::accumulate(p, p + components, 0.0) / static_cast<double>(words[k].size());
      slot = place[slot];
    }
    add_coherence(words[k], counts, scores);
  }
  return out;
}

}  // namespace medley::evaluation
