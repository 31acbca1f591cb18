// SPDX-License-Identifier: Apache-2.0
// Profiles x features, compared with the population: probabilities of levels, means and standard
// deviations of numbers, in float. Of blocks too large for a page, only the features that
// distinguish profiles best are kept.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "model/model.hpp"
#include "report/intervals.hpp"
#include "report/page_parts.hpp"
#include "report/traits.hpp"

namespace medley::report {
namespace {

constexpr std::size_t kMostNumbers = 300000;  // of one block: slots x K

class BlockPart {
 public:
  BlockPart(const Model& model, std::size_t block, const Intervals& intervals)
      : block_(model.parts().blocks[block]),
        index_(block),
        intervals_(intervals),
        components_(model.components()),
        sampled_(model.parts().draws != nullptr),
        evidence_(feature_evidence(block_, model.sizes())) {}

  PageJson json(Pack& pack) {
    const std::vector<std::size_t> kept = chosen();
    const bool numbers = block_.shape.encoding == Encoding::real;
    PageJson features = PageJson::array();
    for (const std::size_t f : kept) {
      const Feature& feature = block_.shape.features[f];
      PageJson one = {{"name", feature.name}, {"evidence", finite(evidence_[f])}};
      if (!feature.title.empty()) one["title"] = feature.title;
      if (numbers) {
        add_number(f);
      } else {
        one["levels"] = PageJson::array();
        for (std::size_t level = 0; level < feature.levels.size(); ++level) {
          if (!feature.levels[level].empty()) one["levels"].push_back(label_of(feature, level));
        }
        add_levels(f, one);
      }
      features.push_back(std::move(one));
    }
    PageJson out = {{"name", block_.shape.name},
                    {"kind", numbers ? "numbers" : "levels"},
                    {"all_features", block_.shape.features.size()},
                    {"features", std::move(features)},
                    {"value", pack.reals(value_)},
                    {"population", pack.reals(population_)}};
    if (numbers) {
      out["sd"] = pack.reals(sd_);
      out["population_sd"] = pack.reals(population_sd_);
      out["below"] = pack.reals(below_);
    }
    if (sampled_) {
      out["low"] = pack.reals(low_);
      out["high"] = pack.reals(high_);
    }
    return out;
  }

 private:
  [[nodiscard]] std::vector<std::size_t> chosen() const {
    std::vector<std::size_t> order(evidence_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // no name: of few rows
    std::erase_if(order, [&](std::size_t f) { return block_.shape.features[f].name.empty(); });
    if (block_.shape.slots() * components_ <= kMostNumbers) return order;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return evidence_[a] != evidence_[b] ? evidence_[a] > evidence_[b] : a < b;
    });
    std::size_t slots = 0, count = 0;
    for (; count < order.size(); ++count) {
      slots += std::max<std::size_t>(1, block_.shape.features[order[count]].levels.size());
      if (slots * components_ > kMostNumbers) break;
    }
    order.resize(count);
    std::ranges::sort(order);
    return order;
  }

  void add_interval(const std::optional<Interval>& interval, double value) {
    if (!sampled_) return;
    low_.push_back(interval ? interval->low : value);
    high_.push_back(interval ? interval->high : value);
  }

  void add_levels(std::size_t f, PageJson& feature) {
    const std::size_t begin = block_.shape.first_slot[f], end = block_.shape.first_slot[f + 1];
    double observed = 0;
    for (std::size_t s = begin; s < end; ++s) {
      observed += block_.total[s];
      if (block_.shape.features[f].levels[s - begin].empty()) continue;  // no name: of few rows
      population_.push_back(block_.population_share(s));
      for (std::size_t k = 0; k < components_; ++k) {
        value_.push_back(block_.probability(s, k));
        add_interval(sampled_ ? intervals_.of_slot(index_, s, k) : std::nullopt, value_.back());
      }
    }
    feature["observed"] = finite(observed);
  }

  void add_number(std::size_t f) {
    const families::Moments all = block_.marginal->numbers()->moments(f, 0);
    population_.push_back(all.mean);
    population_sd_.push_back(std::sqrt(all.variance));
    for (std::size_t k = 0; k < components_; ++k) {
      const families::Moments here = block_.family->numbers()->moments(f, k);
      value_.push_back(here.mean);
      sd_.push_back(std::sqrt(here.variance));
      below_.push_back(block_.marginal->numbers()->cumulative(f, 0, here.mean));
      add_interval(sampled_ ? intervals_.of_mean(index_, f, k) : std::nullopt, here.mean);
    }
  }

  const model::ModelBlock& block_;
  std::size_t index_;
  const Intervals& intervals_;
  std::size_t components_;
  bool sampled_;
  std::vector<double> evidence_;
  std::vector<double> value_, population_, sd_, population_sd_, below_, low_, high_;
};

}  // namespace

PageJson page_blocks(const Model& model, Pack& pack) {
  PageJson out = PageJson::array();
  const Intervals intervals(model);
  for (std::size_t b = 0; b < model.parts().blocks.size(); ++b) {
    if (model.parts().blocks[b].shape.encoding == Encoding::tokens) continue;
    out.push_back(BlockPart(model, b, intervals).json(pack));
  }
  return out;
}

}  // namespace medley::report
