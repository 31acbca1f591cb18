// SPDX-License-Identifier: Apache-2.0
#include "medley/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>

#include "math/assignment.hpp"
#include "medley/error.hpp"
#include "model/model.hpp"

namespace medley {
namespace evaluation {
namespace {

// Two levels that are the same, by slot. kNoSlot: the other model does not know the level.
struct SlotPair {
  std::size_t a, b;
};
constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);

// A feature that both models have.
struct Common {
  const model::ModelBlock* a;
  const model::ModelBlock* b;
  std::size_t feature_a, feature_b;
  std::vector<SlotPair> slots;  // levels and words; all of both
};

double probability(const model::ModelBlock& block, std::size_t slot, std::size_t component) {
  return slot == kNoSlot ? 0.0 : block.probability(slot, component);
}

std::vector<SlotPair> matched_slots(const Block& a, std::size_t fa, const Block& b,
                                    std::size_t fb) {
  std::unordered_map<std::string_view, std::size_t> in_b;
  const std::vector<std::string>& levels_b = b.features[fb].levels;
  for (std::size_t i = 0; i < levels_b.size(); ++i) in_b.emplace(levels_b[i], b.first_slot[fb] + i);
  std::vector<SlotPair> pairs;
  const std::vector<std::string>& levels_a = a.features[fa].levels;
  for (std::size_t i = 0; i < levels_a.size(); ++i) {
    const auto found = in_b.find(levels_a[i]);
    pairs.push_back({a.first_slot[fa] + i, found == in_b.end() ? kNoSlot : found->second});
    if (found != in_b.end()) in_b.erase(found);
  }
  for (std::size_t i = 0; i < levels_b.size(); ++i) {
    if (in_b.contains(levels_b[i])) pairs.push_back({kNoSlot, b.first_slot[fb] + i});
  }
  return pairs;
}

// Hellinger distance of two normals: H^2 = 1 - sqrt(2 s t / (s^2 + t^2)) exp(-(m - n)^2 / (4 (s^2 +
// t^2))).
double of_normals(const families::Moments& p, const families::Moments& q) {
  const double sum = p.variance + q.variance;
  const double overlap = std::sqrt(2 * std::sqrt(p.variance * q.variance) / sum) *
                         std::exp(-(p.mean - q.mean) * (p.mean - q.mean) / (4 * sum));
  return std::sqrt(std::max(0.0, 1 - overlap));
}

class Comparer {
 public:
  Comparer(const Model& a, const Model& b) : a_(a.parts()), b_(b.parts()) { find_common(); }

  Comparison run(std::size_t top) {
    const std::size_t rows = a_.components(), columns = b_.components();
    std::vector<double> cost(rows * columns, 0.0);
    for (std::size_t k = 0; k < rows; ++k) {
      for (std::size_t l = 0; l < columns; ++l) {
        for (const Common& feature : common_) cost[k * columns + l] += distance(feature, k, l);
        cost[k * columns + l] /= static_cast<double>(common_.size());
      }
    }
    const std::vector<std::size_t> partner = math::assign(cost, rows, columns);
    std::vector<bool> taken(columns, false);
    for (std::size_t k = 0; k < rows; ++k) {
      if (partner[k] == math::kUnassigned) {
        out_.only_a.push_back(k);
        continue;
      }
      taken[partner[k]] = true;
      out_.pairs.push_back(
          {k, partner[k], cost[k * columns + partner[k]], largest_differences(k, partner[k], top)});
      out_.distance += out_.pairs.back().distance;
    }
    for (std::size_t l = 0; l < columns; ++l) {
      if (!taken[l]) out_.only_b.push_back(l);
    }
    out_.distance /= static_cast<double>(out_.pairs.size());
    out_.features = common_.size();
    return std::move(out_);
  }

 private:
  using Place = std::pair<const model::ModelBlock*, std::size_t>;
  // Features by source and name; a family of another encoding makes it another feature.
  static std::map<std::string, Place> places(const model::Parts& parts) {
    std::map<std::string, Place> out;
    for (const model::ModelBlock& block : parts.blocks) {
      const std::string source = block.shape.name.substr(0, block.shape.name.find('.'));
      const std::string kind = block.shape.encoding == Encoding::real ? "number" : "level";
      for (std::size_t f = 0; f < block.shape.features.size(); ++f)
        out.try_emplace(source + '\n' + block.shape.features[f].name + '\n' + kind, &block, f);
    }
    return out;
  }

  void find_common() {
    std::map<std::string, Place> in_b = places(b_);
    for (const auto& [key, place] : places(a_)) {
      const auto found = in_b.find(key);
      if (found == in_b.end()) {
        out_.left_out.push_back(place.first->shape.features[place.second].name);
        continue;
      }
      const auto [block, feature] = found->second;
      Common both{place.first, block, place.second, feature, {}};
      if (both.a->shape.encoding != Encoding::real)
        both.slots = matched_slots(both.a->shape, both.feature_a, both.b->shape, both.feature_b);
      common_.push_back(std::move(both));
      in_b.erase(found);
    }
    for (const auto& [key, place] : in_b)
      out_.left_out.push_back(place.first->shape.features[place.second].name);
    if (common_.empty())
      throw InputError({"", "the two models have no column in common",
                        "compare models that were fitted to the same columns"});
  }

  // A variance of 0 would be at distance 1 from everything: none is below a millionth of the
  // column's.
  static families::Moments moments(const model::ModelBlock& block, std::size_t feature,
                                   std::size_t component) {
    families::Moments m = block.family->moments(feature, component);
    const double least = 1e-6 * block.marginal->moments(feature, 0).variance;
    m.variance = std::max({m.variance, least, 1e-300});
    return m;
  }

  static double distance(const Common& f, std::size_t k, std::size_t l) {
    if (f.a->shape.encoding == Encoding::real)
      return of_normals(moments(*f.a, f.feature_a, k), moments(*f.b, f.feature_b, l));
    double overlap = 0;
    for (const SlotPair& s : f.slots)
      overlap += std::sqrt(probability(*f.a, s.a, k) * probability(*f.b, s.b, l));
    return std::sqrt(std::max(0.0, 1 - overlap));
  }

  std::vector<ComparedFeature> largest_differences(std::size_t k, std::size_t l,
                                                   std::size_t top) const {
    std::vector<ComparedFeature> all;
    for (const Common& feature : common_) describe(feature, k, l, top, all);
    std::ranges::sort(all, [](const ComparedFeature& x, const ComparedFeature& y) {
      if (x.distance != y.distance) return x.distance > y.distance;
      const double off_x = std::abs(x.a - x.b), off_y = std::abs(y.a - y.b);
      return off_x != off_y ? off_x > off_y : x.feature + x.level < y.feature + y.level;
    });
    all.resize(std::min(all.size(), top));
    return all;
  }

  // A feature by its most different level; a vocabulary by its `top` most different words.
  static void describe(const Common& f, std::size_t k, std::size_t l, std::size_t top,
                       std::vector<ComparedFeature>& into) {
    const std::string& name = f.a->shape.features[f.feature_a].name;
    const double off = distance(f, k, l);
    if (f.a->shape.encoding == Encoding::real) {
      const families::Moments p = moments(*f.a, f.feature_a, k), q = moments(*f.b, f.feature_b, l);
      into.push_back({name, "", p.mean, q.mean, std::sqrt(p.variance), std::sqrt(q.variance), off});
      return;
    }
    std::vector<SlotPair> slots = f.slots;
    const auto difference = [&](const SlotPair& s) {
      return std::abs(probability(*f.a, s.a, k) - probability(*f.b, s.b, l));
    };
    const std::size_t shown = f.a->shape.encoding == Encoding::tokens ? top : 1;
    const auto end = slots.begin() + static_cast<std::ptrdiff_t>(std::min(shown, slots.size()));
    std::partial_sort(slots.begin(), end, slots.end(), [&](const SlotPair& x, const SlotPair& y) {
      return difference(x) > difference(y);
    });
    for (auto s = slots.begin(); s != end; ++s) {
      const Feature& a = f.a->shape.features[f.feature_a];
      const Feature& b = f.b->shape.features[f.feature_b];
      const std::string& level = s->a != kNoSlot
                                     ? a.levels[s->a - f.a->shape.first_slot[f.feature_a]]
                                     : b.levels[s->b - f.b->shape.first_slot[f.feature_b]];
      into.push_back(
          {name, level, probability(*f.a, s->a, k), probability(*f.b, s->b, l), 0, 0, off});
    }
  }

  const model::Parts& a_;
  const model::Parts& b_;
  std::vector<Common> common_;
  Comparison out_;
};

}  // namespace
}  // namespace evaluation

Comparison compare(const Model& a, const Model& b, std::size_t top) {
  return evaluation::Comparer(a, b).run(top);
}

}  // namespace medley
