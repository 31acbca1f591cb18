// SPDX-License-Identifier: Apache-2.0
// Quality of topics and profiles, and how the rows of some data share them out.
#include "evaluate/quality.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/task.hpp"
#include "evaluate/alignment.hpp"
#include "evaluate/topic_quality.hpp"
#include "math/descriptive.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"

namespace medley::evaluation {
namespace {

// The best guess which of two components a row is from goes wrong at a rate between
// (1 - sqrt(1 - overlap^2)) / 2 and overlap / 2: from 7 % to 25 % here.
constexpr double kNearCopies = 0.5;

void add_rows(const Dataset& data, const Memberships& memberships, Quality& into) {
  std::vector<double> size(memberships.components, 0.0);
  double weights = 0, entropies = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    if (data.observed(row) <= 0) continue;
    const std::span<const double> share(memberships.row(row), memberships.components);
    const double w = data.weight_of(row);
    ++into.rows;
    weights += w;
    entropies += w * math::entropy(share);
    for (std::size_t k = 0; k < share.size(); ++k) size[k] += w * share[k];
    into.profile[static_cast<std::size_t>(std::ranges::max_element(share) - share.begin())]
        .top_of_rows += w;
  }
  for (std::size_t k = 0; k < size.size() && weights > 0; ++k) {
    into.profile[k].size = size[k] /= weights;
    into.profile[k].top_of_rows /= weights;
  }
  into.effective_profiles = std::exp(math::entropy(size));
  into.profiles_per_row = weights > 0 ? std::exp(entropies / weights) : 1.0;
  into.smallest = static_cast<std::size_t>(std::ranges::min_element(size) - size.begin());
}

// Cells per row of each feature, in the order of block and feature: weighted means.
std::vector<std::vector<double>> usual_cells(const Dataset& data) {
  std::vector<std::vector<double>> cells;
  double weights = 0;
  for (std::size_t row = 0; row < data.rows; ++row) weights += data.weight_of(row);
  for (const Block& block : data.blocks) {
    std::vector<double> of_slot(block.slots(), 0.0);
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
        of_slot[block.slot[c]] += data.weight_of(row) * static_cast<double>(block.weight_of(c));
    }
    std::vector<double>& of_feature = cells.emplace_back(block.features.size(), 0.0);
    for (std::size_t f = 0; f < of_feature.size() && weights > 0; ++f) {
      for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s)
        of_feature[f] += of_slot[s] / weights;
    }
  }
  return cells;
}

// All pairs of components: each one's nearest, and those that are near copies.
void add_distances(const model::Parts& parts, const Dataset& data, Quality& into) {
  const CommonFeatures features = common_features(parts, parts);
  const std::vector<std::vector<double>> cells = usual_cells(data);
  const auto count = static_cast<double>(features.both.size());
  std::vector<double> least(parts.components(), 2.0);  // above any distance
  for (std::size_t k = 0; k < parts.components(); ++k) into.profile[k].nearest = k;
  for (std::size_t k = 0; k < parts.components(); ++k) {
    for (std::size_t l = k + 1; l < parts.components(); ++l) {
      double sum = 0, log_overlap = 0;
      for (const CommonFeature& feature : features.both) {
        const double h = distance(feature, k, l);
        const auto b = static_cast<std::size_t>(feature.a - parts.blocks.data());
        sum += h;
        log_overlap += cells[b][feature.feature_a] * std::log(std::max(1e-300, 1 - h * h));
      }
      const double mean = sum / count, overlap = std::exp(log_overlap);
      if (overlap >= kNearCopies) into.copies.push_back({k, l, mean, overlap});
      for (const auto& [of, other] : {std::pair(k, l), std::pair(l, k)}) {
        if (mean >= least[of]) continue;
        least[of] = into.profile[of].distance = mean;
        into.profile[of].nearest = other;
      }
    }
  }
  std::ranges::sort(into.copies, [](const NearCopies& x, const NearCopies& y) {
    return x.overlap != y.overlap ? x.overlap > y.overlap
                                  : std::pair(x.a, x.b) < std::pair(y.a, y.b);
  });
}

}  // namespace

void profile_quality(const model::Parts& parts, const Dataset& data, const Memberships& memberships,
                     Quality& into) {
  into.profile.resize(parts.components());
  add_rows(data, memberships, into);
  add_distances(parts, data, into);
}

}  // namespace medley::evaluation

namespace medley {

Quality quality(const Model& model, const Dataset& data, const QualityOptions& options,
                const Hooks& hooks) {
  const core::Task task(hooks);
  const Memberships memberships = transform(model, data, options.threads);
  const model::Parts& parts = model.parts();
  Quality out;
  evaluation::profile_quality(parts, data, memberships, out);
  for (std::size_t b = 0; b < parts.blocks.size(); ++b) {
    if (parts.blocks[b].shape.encoding == Encoding::tokens) {
      out.topics.push_back(
          evaluation::topic_quality(parts.blocks[b], data.blocks[b], data.row_weight, options.top));
    }
  }
  return out;
}

Quintiles entropy_quintiles(const Evaluation& scores, const Dataset& data) {
  check(data);
  if (scores.row.size() != data.rows)
    throw InputError({"scores", "are those of other rows", "give the data that was evaluated"});
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < scores.row.size(); ++i) {
    if (scores.row[i].observations > 0) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(scores.row[a].entropy, a) < std::pair(scores.row[b].entropy, b);
  });
  Quintiles out;
  for (std::size_t part = 0; part < out.size(); ++part) {
    double log_likelihood = 0, observations = 0;
    const std::size_t end = (part + 1) * order.size() / out.size();
    for (std::size_t i = part * order.size() / out.size(); i < end; ++i) {
      const double weight = data.weight_of(order[i]);
      log_likelihood += weight * scores.row[order[i]].log_likelihood;
      observations += weight * scores.row[order[i]].observations;
    }
    out[part] = observations > 0 ? std::exp(-log_likelihood / observations)
                                 : std::numeric_limits<double>::quiet_NaN();
  }
  return out;
}

}  // namespace medley
