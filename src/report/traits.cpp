// SPDX-License-Identifier: Apache-2.0
#include "report/traits.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace medley::report {
namespace {

/// x log(x / y), 0 at x = 0; rounding may leave y at 0 where x is tiny.
double relative(double x, double y) {
  constexpr double kTiny = 1e-12;
  return x > 0 ? x * std::log(x / std::max(y, kTiny)) : 0.0;
}

double divergence(double p, double q) {
  return relative(p, q) + relative(1 - p, 1 - q);
}

double divergence(const families::Moments& here, const families::Moments& overall) {
  const double spread = here.variance / overall.variance;
  const double off = here.mean - overall.mean;
  return 0.5 * (spread + off * off / overall.variance - 1 - std::log(spread));
}

// As if the profile had kCaution more observations, all as in the population.
double cautious(double here, double overall, double observations) {
  return (observations * here + kCaution * overall) / (observations + kCaution);
}

class Collector {
 public:
  Collector(std::size_t component, double size) : component_(component), size_(size) {}

  void add(const model::ModelBlock& block) {
    for (std::size_t f = 0; f < block.shape.features.size(); ++f) {
      const std::size_t before = found.size();
      if (block.shape.encoding == Encoding::real) {
        add_number(block, f);
      } else {
        add_answers(block, f);
      }
      if (found.size() == before) ++alike;
    }
  }

  std::vector<Trait> found;
  std::size_t alike = 0;

 private:
  void add_answers(const model::ModelBlock& block, std::size_t f) {
    const std::size_t begin = block.shape.first_slot[f], end = block.shape.first_slot[f + 1];
    double observed = 0;
    for (std::size_t s = begin; s < end; ++s) observed += block.total[s];
    const double here = observed * size_;
    for (std::size_t s = begin; s < end; ++s) {
      const double p = block.probability(s, component_);
      const double q = observed > 0 ? block.total[s] / observed : 0;
      // nobody gave this answer: its probability is smoothing, or where the fit began
      if (q == 0) continue;
      const double p_cautious = cautious(p, q, here);
      if (!(p_cautious > q)) continue;
      const double distance = divergence(p_cautious, q);
      if (distance < kAlike) continue;
      found.push_back({&block, f, s, here * distance, p, q});
    }
  }

  void add_number(const model::ModelBlock& block, std::size_t f) {
    const double here = block.total[f] * size_;
    const families::Moments own = block.family->numbers()->moments(f, component_);
    const families::Moments all = block.marginal->numbers()->moments(f, 0);
    if (!(all.variance > 0) || !(own.variance > 0) || block.total[f] == 0) return;
    const families::Moments drawn_in{cautious(own.mean, all.mean, here),
                                     cautious(own.variance, all.variance, here)};
    if (!(divergence(drawn_in, all) >= kAlike)) return;
    const double off = drawn_in.mean - all.mean;
    Trait trait{&block, f, f, here * 0.5 * off * off / all.variance};
    trait.here = own;
    trait.overall = all;
    found.push_back(trait);
  }

  std::size_t component_;
  double size_;
};

}  // namespace

double Trait::distance() const {
  return (here.mean - overall.mean) / std::sqrt(overall.variance);
}

Traits distinctive_traits(std::span<const model::ModelBlock* const> blocks, std::size_t component,
                          double size, std::size_t top) {
  Collector collector(component, size);
  std::size_t features = 0;
  for (const model::ModelBlock* block : blocks) {
    collector.add(*block);
    features += block->shape.features.size();
  }
  // Equal evidence: keep the order of the blocks and slots, in which they were found.
  std::vector<std::size_t> order(collector.found.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const double x = collector.found[a].evidence, y = collector.found[b].evidence;
    return x != y ? x > y : a < b;
  });
  Traits out;
  out.alike = collector.alike;
  std::set<std::pair<const model::ModelBlock*, std::size_t>> shown;
  for (std::size_t i = 0; i < std::min(top, order.size()); ++i) {
    out.shown.push_back(collector.found[order[i]]);
    shown.insert({out.shown.back().block, out.shown.back().feature});
  }
  out.differing = features - out.alike - shown.size();
  return out;
}

std::vector<double> feature_evidence(const model::ModelBlock& block,
                                     std::span<const double> sizes) {
  std::vector<double> out(block.shape.features.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    Collector collector(k, sizes[k]);
    collector.add(block);
    for (const Trait& trait : collector.found)
      out[trait.feature] = std::max(out[trait.feature], trait.evidence);
  }
  return out;
}

}  // namespace medley::report
