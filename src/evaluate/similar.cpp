// SPDX-License-Identifier: Apache-2.0
#include "evaluate/similar.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/predict.hpp"
#include "model/draws.hpp"
#include "model/model.hpp"
#include "model/model_on_data.hpp"

namespace medley::evaluation {

namespace {

// Rows that the membership places, brought to length 1.
RowPoints located(const model::ModelOnData& model, const Dataset& data, std::size_t threads) {
  const memberships::Membership& membership = *model.parts().membership;
  const std::size_t size = membership.state_size();
  const model::ScoredRows scored = model.score(data, threads, model::Keep::shares_and_states);
  RowPoints out{"cosine of the locations, from -1 to 1", 0, {}, false};
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    std::vector<double> place =
        membership.located()->location(std::span(scored.state).subspan(row * size, size));
    out.dimension = place.size();
    const double length = std::sqrt(product(place.data(), place.data(), place.size()));
    for (const double x : place) out.point.push_back(length > 0 ? x / length : 0.0);
  }
  return out;
}

}  // namespace

RowPoints row_points(const Model& model, const Dataset& data, std::size_t threads) {
  if (model.parts().membership->located() != nullptr)
    return located(model::ModelOnData(model, data), data, threads);
  Memberships memberships = transform(model, data, threads);
  RowPoints out{"Bhattacharyya coefficient of the memberships, from 0 to 1", memberships.components,
                std::move(memberships.share)};
  for (double& share : out.point) share = std::sqrt(share);
  return out;
}

double product(const double* a, const double* b, std::size_t dimension) {
  double sum = 0;
  for (std::size_t d = 0; d < dimension; ++d) sum += a[d] * b[d];
  return sum;
}

std::vector<double> co_clustering(const Model& model, const Dataset& data,
                                  std::span<const std::size_t> rows, std::size_t threads) {
  const model::ModelOnData on_data(model, data);
  const std::size_t draws = model.parts().draws->draw.size();
  std::vector<double> out(rows.size() * data.rows, 0.0);
  for (std::size_t d = 0; d < draws; ++d) {
    const std::vector<double> share = on_data.at_draw(d, data).score(data, threads).share;
    const std::size_t count = model.parts().draws->draw[d].components();
    core::parallel_for(rows.size(), core::thread_count(threads),
                       [&](std::size_t i, std::size_t /*worker*/) {
                         const double* own = &share[rows[i] * count];
                         for (std::size_t row = 0; row < data.rows; ++row)
                           out[i * data.rows + row] += product(own, &share[row * count], count);
                       });
  }
  for (double& sum : out) sum /= static_cast<double>(draws);
  return out;
}

}  // namespace medley::evaluation

namespace medley {

namespace {

constexpr std::size_t kShared = 3;

// The largest parts of the similarity of two rows.
std::vector<SharedProfile> shared(const evaluation::RowPoints& points, std::size_t a,
                                  std::size_t b) {
  std::vector<SharedProfile> parts;
  if (!points.by_component) return parts;
  for (std::size_t k = 0; k < points.dimension; ++k)
    parts.push_back({k, points.of(a)[k] * points.of(b)[k]});
  const std::size_t count = std::min(kShared, parts.size());
  std::ranges::partial_sort(parts, parts.begin() + static_cast<std::ptrdiff_t>(count),
                            [](const SharedProfile& x, const SharedProfile& y) {
                              return x.part != y.part ? x.part > y.part : x.component < y.component;
                            });
  parts.resize(count);
  std::erase_if(parts, [](const SharedProfile& p) { return !(p.part > 0); });
  return parts;
}

// The most similar among the rows with something observed.
template <class SimilarityOf>
std::vector<SimilarRow> nearest(const std::vector<std::size_t>& candidates, std::size_t of,
                                std::size_t count, const SimilarityOf& similarity) {
  std::vector<SimilarRow> rows;
  for (const std::size_t row : candidates) {
    if (row != of) rows.push_back({row, similarity(row), {}});
  }
  const auto last = rows.begin() + static_cast<std::ptrdiff_t>(std::min(count, rows.size()));
  std::partial_sort(rows.begin(), last, rows.end(), [](const SimilarRow& a, const SimilarRow& b) {
    return a.similarity != b.similarity ? a.similarity > b.similarity : a.row < b.row;
  });
  rows.erase(last, rows.end());
  for (SimilarRow& row : rows) row.similarity = std::min(row.similarity, 1.0);  // rounding aside
  return rows;
}

// By the points that rows are.
void find_by_points(const Model& model, const Dataset& data, std::span<const std::size_t> rows,
                    const std::vector<std::size_t>& candidates, const SimilarOptions& options,
                    Similarity& out) {
  const evaluation::RowPoints points = evaluation::row_points(model, data, options.threads);
  out.metric = points.metric;
  core::parallel_for(
      rows.size(), core::thread_count(options.threads), [&](std::size_t i, std::size_t /*worker*/) {
        if (out.of_row[i].empty) return;
        out.of_row[i].nearest = nearest(candidates, rows[i], options.count, [&](std::size_t row) {
          return evaluation::product(points.of(rows[i]), points.of(row), points.dimension);
        });
        for (SimilarRow& row : out.of_row[i].nearest) row.shared = shared(points, rows[i], row.row);
      });
}

// By the clusters of draws, for as many rows at once as a table of all pairs has room.
void find_by_draws(const Model& model, const Dataset& data, std::span<const std::size_t> rows,
                   const std::vector<std::size_t>& candidates, const SimilarOptions& options,
                   Similarity& out) {
  constexpr std::size_t kMostPairs = std::size_t{1} << 24;
  out.metric = "probability of being in one cluster, from 0 to 1";
  const std::size_t at_once =
      std::max<std::size_t>(1, kMostPairs / std::max<std::size_t>(1, data.rows));
  for (std::size_t first = 0; first < rows.size(); first += at_once) {
    const auto some = rows.subspan(first, std::min(at_once, rows.size() - first));
    const std::vector<double> together =
        evaluation::co_clustering(model, data, some, options.threads);
    core::parallel_for(some.size(), core::thread_count(options.threads),
                       [&](std::size_t i, std::size_t /*worker*/) {
                         SimilarRows& found = out.of_row[first + i];
                         if (found.empty) return;
                         found.nearest = nearest(
                             candidates, some[i], options.count,
                             [&](std::size_t row) { return together[i * data.rows + row]; });
                       });
  }
}

}  // namespace

Similarity similar(const Model& model, const Dataset& data, std::span<const std::size_t> rows,
                   const SimilarOptions& options, const Hooks& hooks) {
  const core::Task task(hooks);
  model::check_rows(model, data);
  for (const std::size_t row : rows) {
    if (row >= data.rows) throw InputError({"row", "is outside the data", "rows count from 0"});
  }
  Similarity out{"", 0, std::vector<SimilarRows>(rows.size())};
  std::vector<std::size_t> candidates;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    if (data.observed(row) > 0) candidates.push_back(row);
  }
  out.empty_rows = data.rows - candidates.size();
  for (std::size_t i = 0; i < rows.size(); ++i) out.of_row[i].empty = data.observed(rows[i]) <= 0;
  const bool clusters = model.parts().draws && model.parts().membership->entry().sole;
  (clusters ? find_by_draws : find_by_points)(model, data, rows, candidates, options, out);
  return out;
}

}  // namespace medley
