// SPDX-License-Identifier: Apache-2.0
// Words of topics by relevance and FREX, and the relations between profiles.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "evaluate/alignment.hpp"
#include "medley/evaluate.hpp"
#include "model/model.hpp"
#include "report/intervals.hpp"
#include "report/page_parts.hpp"
#include "report/words.hpp"

namespace medley::report {

// Topics: the words listed at every position of the relevance slider and for FREX; for each listed
// word its occurrences, and its weights in the topics where it matters.

namespace {

constexpr std::size_t kListed = 30;      // words of a list, of a model of few topics
constexpr std::size_t kListedMany = 15;  // and of one of many
constexpr std::size_t kMany = 60;
constexpr std::size_t kTopicsOfWord = 12;  // topics told of a word besides those that list it

class WordsPart {
 public:
  WordsPart(const Model& model, std::size_t block)
      : model_(model), index_(block), block_(model.parts().blocks[block]) {}

  PageJson json(Pack& pack) {
    const std::size_t top = model_.components() > kMany ? kListedMany : kListed;
    rank(top);
    PageJson out = {
        {"name", block_.shape.name},
        {"stops", kLambdaStops},
        {"top", top},
        {"vocabulary", block_.shape.slots()},
        {"occurrences", std::accumulate(block_.total.begin(), block_.total.end(), 0.0)}};
    out["rank_start"] = pack.wholes(rank_start_);
    out["rank"] = pack.wholes(rank_);
    out["frex_start"] = pack.wholes(frex_start_);
    out["frex"] = pack.wholes(frex_);
    add_words(out, pack);
    return out;
  }

 private:
  /// The number of a listed word; records that the topic lists it.
  std::uint32_t number_of(std::uint32_t slot, std::size_t topic) {
    const auto [found, fresh] = number_.emplace(slot, static_cast<std::uint32_t>(slot_.size()));
    if (fresh) {
      slot_.push_back(slot);
      listed_in_.emplace_back();
    }
    std::vector<std::size_t>& topics = listed_in_[found->second];
    if (topics.empty() || topics.back() != topic) topics.push_back(topic);
    return found->second;
  }

  void rank(std::size_t top) {
    const WordRanking ranking(block_);
    for (std::size_t k = 0; k < model_.components(); ++k) {
      for (const auto& list : most_relevant(block_, k, model_.sizes()[k], top)) {
        for (const std::uint32_t slot : list) rank_.push_back(number_of(slot, k));
        rank_start_.push_back(static_cast<std::uint32_t>(rank_.size()));
      }
      for (const std::size_t slot : ranking.of(k, model_.sizes()[k], top).frex)
        frex_.push_back(number_of(static_cast<std::uint32_t>(slot), k));
      frex_start_.push_back(static_cast<std::uint32_t>(frex_.size()));
    }
  }

  /// The topics shown for a word: those that list it and those where it is likeliest; ascending.
  [[nodiscard]] std::vector<std::size_t> topics_of(std::size_t word) const {
    std::vector<std::size_t> order(model_.components());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto p = [&](std::size_t k) { return block_.probability(slot_[word], k); };
    std::ranges::sort(
        order, [&](std::size_t a, std::size_t b) { return p(a) != p(b) ? p(a) > p(b) : a < b; });
    order.resize(std::min(kTopicsOfWord, order.size()));
    order.insert(order.end(), listed_in_[word].begin(), listed_in_[word].end());
    std::ranges::sort(order);
    const auto again = std::ranges::unique(order);
    order.erase(again.begin(), again.end());
    return order;
  }

  void add_words(PageJson& out, Pack& pack) const {
    const bool sampled = model_.parts().draws != nullptr;
    const Intervals intervals(model_);
    PageJson words = PageJson::array();
    std::vector<double> total, value, low, high;
    std::vector<std::uint32_t> start = {0}, topic;
    for (std::size_t w = 0; w < slot_.size(); ++w) {
      words.push_back(block_.shape.features[0].levels[slot_[w]]);
      total.push_back(block_.total[slot_[w]]);
      for (const std::size_t k : topics_of(w)) {
        topic.push_back(static_cast<std::uint32_t>(k));
        value.push_back(block_.probability(slot_[w], k));
        if (!sampled) continue;
        const auto interval = intervals.of_slot(index_, slot_[w], k);
        low.push_back(interval ? interval->low : value.back());
        high.push_back(interval ? interval->high : value.back());
      }
      start.push_back(static_cast<std::uint32_t>(topic.size()));
    }
    out["words"] = std::move(words);
    out["total"] = pack.reals(total);
    out["topic_start"] = pack.wholes(start);
    out["topic"] = pack.wholes(topic);
    out["value"] = pack.reals(value);
    if (sampled) {
      out["low"] = pack.reals(low);
      out["high"] = pack.reals(high);
    }
  }

  const Model& model_;
  std::size_t index_;
  const model::ModelBlock& block_;
  std::map<std::uint32_t, std::uint32_t> number_;       // slot -> place in slot_
  std::vector<std::uint32_t> slot_;                     // listed words
  std::vector<std::vector<std::size_t>> listed_in_;     // per listed word: topics, ascending
  std::vector<std::uint32_t> rank_start_ = {0}, rank_;  // topic by topic, stop by stop
  std::vector<std::uint32_t> frex_start_ = {0}, frex_;
};

}  // namespace

PageJson page_words(const Model& model, Pack& pack) {
  PageJson out = PageJson::array();
  for (std::size_t b = 0; b < model.parts().blocks.size(); ++b) {
    if (model.parts().blocks[b].shape.encoding == Encoding::tokens)
      out.push_back(WordsPart(model, b).json(pack));
  }
  return out;
}

// The relations between profiles: mean Hellinger distance over features (compare()), and which of
// them occur together (component_correlations()).

PageJson page_relations(const Model& model, const Dataset* data, std::size_t threads) {
  const model::Parts& parts = model.parts();
  const auto common = evaluation::common_features(parts, parts);
  const auto alignment = evaluation::align(common.both, parts.components(), parts.components());
  PageJson out = {{"distance", finite(alignment.distance)}};
  const bool located = parts.membership->located() != nullptr;
  if (!located && (data == nullptr || data->rows < 2)) return out;
  const ComponentCorrelations correlations =
      located ? component_correlations(model) : component_correlations(model, *data, threads);
  out["correlation"] = finite(correlations.matrix);
  out["basis"] = correlations.basis;
  out["located"] = located;
  return out;
}

}  // namespace medley::report
