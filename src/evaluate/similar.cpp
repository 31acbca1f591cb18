// SPDX-License-Identifier: Apache-2.0
#include "medley/predict.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "evaluate/co_clustering.hpp"
#include "evaluate/row_points.hpp"
#include "medley/error.hpp"
#include "model/draws.hpp"
#include "model/model.hpp"
#include "model/model_on_data.hpp"

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
