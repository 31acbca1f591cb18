// SPDX-License-Identifier: Apache-2.0
#include "evaluate/topic_quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/task.hpp"

namespace medley::evaluation {
namespace {

constexpr std::uint32_t kNotTop = std::numeric_limits<std::uint32_t>::max();

// The documents of some words, each list ascending.
class DocumentLists {
 public:
  // place: per slot, its number among the words listed, or kNotTop.
  DocumentLists(const Block& block, std::span<const double> row_weight,
                const std::vector<std::uint32_t>& place, std::size_t words)
      : row_weight_(row_weight), documents_(words), count_(words, 0.0) {
    for (std::size_t row = 0; row + 1 < block.row_start.size(); ++row) {
      core::stop_if_asked();
      const std::uint64_t begin = block.row_start[row], end = block.row_start[row + 1];
      if (begin < end) total_ += weight(row);
      for (std::uint64_t c = begin; c < end; ++c) {
        const std::uint32_t word = place[block.slot[c]];
        if (word != kNotTop) documents_[word].push_back(static_cast<std::uint32_t>(row));
      }
    }
    for (std::size_t w = 0; w < words; ++w) count_[w] = weight_of(documents_[w]);
  }

  [[nodiscard]] double total() const { return total_; }
  [[nodiscard]] double with(std::uint32_t word) const { return count_[word]; }
  [[nodiscard]] double with_both(std::uint32_t a, std::uint32_t b) {
    common_.clear();
    std::ranges::set_intersection(documents_[a], documents_[b], std::back_inserter(common_));
    return weight_of(common_);
  }

 private:
  [[nodiscard]] double weight(std::size_t row) const {
    return row_weight_.empty() ? 1.0 : row_weight_[row];
  }
  [[nodiscard]] double weight_of(const std::vector<std::uint32_t>& rows) const {
    double sum = 0;
    for (const std::uint32_t row : rows) sum += weight(row);
    return sum;
  }

  std::span<const double> row_weight_;
  std::vector<std::vector<std::uint32_t>> documents_;
  std::vector<double> count_;
  std::vector<std::uint32_t> common_;
  double total_ = 0;
};

double npmi(double both, double a, double b, double documents) {
  if (both <= 0) return -1;
  if (both >= documents) return 1;
  return std::log(both * documents / (a * b)) / -std::log(both / documents);
}

// `words`: places of the topic's words, likeliest first.
void add_coherence(const std::vector<std::uint32_t>& words, DocumentLists& lists,
                   TopicScores& into) {
  for (std::size_t j = 0; j < words.size(); ++j) {
    const double b = lists.with(words[j]);
    if (b <= 0) ++into.absent;
    for (std::size_t i = 0; i < j && b > 0; ++i) {
      const double a = lists.with(words[i]);
      if (a <= 0) continue;
      const double both = lists.with_both(words[i], words[j]);
      into.umass += std::log((both + 1) / a);
      into.npmi += npmi(both, a, b, lists.total());
      ++into.pairs;
    }
  }
  if (into.pairs == 0) return;
  into.umass /= static_cast<double>(into.pairs);
  into.npmi /= static_cast<double>(into.pairs);
}

double exclusivity(const model::ModelBlock& block, const std::vector<std::uint32_t>& words,
                   std::size_t component) {
  double sum = 0;
  for (const std::uint32_t slot : words) {
    double of_all = 0;
    for (std::size_t k = 0; k < block.family->components(); ++k)
      of_all += block.probability(slot, k);
    sum += of_all > 0 ? block.probability(slot, component) / of_all : 0.0;
  }
  return words.empty() ? 0.0 : sum / static_cast<double>(words.size());
}

void add_means(TopicTable& table) {
  for (const TopicScores& topic : table.topic) {
    table.exclusivity += topic.exclusivity / static_cast<double>(table.topic.size());
    if (topic.pairs == 0) continue;
    ++table.scored;
    table.umass += topic.umass;
    table.npmi += topic.npmi;
  }
  if (table.scored == 0) return;
  table.umass /= static_cast<double>(table.scored);
  table.npmi /= static_cast<double>(table.scored);
}

}  // namespace

std::vector<std::uint32_t> top_slots(const model::ModelBlock& block, std::size_t component,
                                     std::size_t top) {
  std::vector<std::uint32_t> order(block.shape.slots());
  std::iota(order.begin(), order.end(), 0U);
  top = std::min(top, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(top), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      const double x = block.probability(a, component);
                      const double y = block.probability(b, component);
                      return x != y ? x > y : a < b;
                    });
  order.resize(top);
  return order;
}

TopicTable topic_quality(const model::ModelBlock& block, const Block& documents,
                         std::span<const double> row_weight, std::size_t top) {
  const std::size_t components = block.family->components();
  std::vector<std::vector<std::uint32_t>> words(components);
  std::vector<std::uint32_t> place(block.shape.slots(), kNotTop);
  std::uint32_t different = 0;
  std::size_t listed = 0;
  for (std::size_t k = 0; k < components; ++k) {
    words[k] = top_slots(block, k, top);
    listed += words[k].size();
    for (const std::uint32_t slot : words[k]) {
      if (place[slot] == kNotTop) place[slot] = different++;
    }
  }
  DocumentLists lists(documents, row_weight, place, different);
  TopicTable out;
  out.block = block.shape.name;
  out.documents = lists.total();
  out.diversity = listed > 0 ? static_cast<double>(different) / static_cast<double>(listed) : 1.0;
  for (std::size_t k = 0; k < components; ++k) {
    TopicScores& scores = out.topic.emplace_back();
    scores.exclusivity = exclusivity(block, words[k], k);
    for (std::uint32_t& slot : words[k]) {
      scores.words.push_back(block.shape.features[0].levels[slot]);
      slot = place[slot];
    }
    add_coherence(words[k], lists, scores);
  }
  add_means(out);
  return out;
}

}  // namespace medley::evaluation
