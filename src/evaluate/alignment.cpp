// SPDX-License-Identifier: Apache-2.0
#include "evaluate/alignment.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "math/assignment.hpp"
#include "medley/error.hpp"

namespace medley::evaluation {
namespace {

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

using Place = std::pair<const model::ModelBlock*, std::size_t>;

// Features by source and name; a family of another encoding makes it another feature.
std::map<std::string, Place> places(const model::Parts& parts) {
  std::map<std::string, Place> out;
  for (const model::ModelBlock& block : parts.blocks) {
    const std::string source = block.shape.name.substr(0, block.shape.name.find('.'));
    const std::string kind = block.shape.encoding == Encoding::real ? "number" : "level";
    for (std::size_t f = 0; f < block.shape.features.size(); ++f)
      out.try_emplace(source + '\n' + block.shape.features[f].name + '\n' + kind, &block, f);
  }
  return out;
}

}  // namespace

CommonFeatures common_features(const model::Parts& a, const model::Parts& b) {
  CommonFeatures out;
  std::map<std::string, Place> in_b = places(b);
  for (const auto& [key, place] : places(a)) {
    const auto found = in_b.find(key);
    if (found == in_b.end()) {
      out.left_out.push_back(place.first->shape.features[place.second].name);
      continue;
    }
    const auto [block, feature] = found->second;
    CommonFeature both{place.first, block, place.second, feature, {}};
    if (both.a->shape.encoding != Encoding::real)
      both.slots = matched_slots(both.a->shape, both.feature_a, both.b->shape, both.feature_b);
    out.both.push_back(std::move(both));
    in_b.erase(found);
  }
  for (const auto& [key, place] : in_b)
    out.left_out.push_back(place.first->shape.features[place.second].name);
  if (out.both.empty())
    throw InputError({"", "the two models have no column in common",
                      "compare models that were fitted to the same columns"});
  return out;
}

double probability(const model::ModelBlock& block, std::size_t slot, std::size_t component) {
  return slot == kNoSlot ? 0.0 : block.probability(slot, component);
}

families::Moments comparable_moments(const model::ModelBlock& block, std::size_t feature,
                                     std::size_t component) {
  families::Moments m = block.family->numbers()->moments(feature, component);
  const double least = 1e-6 * block.marginal->numbers()->moments(feature, 0).variance;
  m.variance = std::max({m.variance, least, 1e-300});
  return m;
}

double distance(const CommonFeature& f, std::size_t k, std::size_t l) {
  if (f.a->shape.encoding == Encoding::real)
    return of_normals(comparable_moments(*f.a, f.feature_a, k),
                      comparable_moments(*f.b, f.feature_b, l));
  double overlap = 0;
  for (const SlotPair& s : f.slots)
    overlap += std::sqrt(probability(*f.a, s.a, k) * probability(*f.b, s.b, l));
  return std::sqrt(std::max(0.0, 1 - overlap));
}

Alignment align(const std::vector<CommonFeature>& features, std::size_t components_a,
                std::size_t components_b) {
  Alignment out{components_a, components_b, std::vector<double>(components_a * components_b), {}};
  for (std::size_t k = 0; k < components_a; ++k) {
    for (std::size_t l = 0; l < components_b; ++l) {
      double& sum = out.distance[k * components_b + l];
      for (const CommonFeature& feature : features) sum += distance(feature, k, l);
      sum /= static_cast<double>(features.size());
    }
  }
  out.partner = math::assign(out.distance, components_a, components_b);
  return out;
}

}  // namespace medley::evaluation
