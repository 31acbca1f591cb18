// SPDX-License-Identifier: Apache-2.0
#include "medley/similar.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "evaluate/row_points.hpp"

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

// Among the rows with something observed.
std::vector<SimilarRow> nearest(const evaluation::RowPoints& points,
                                const std::vector<std::size_t>& candidates, std::size_t of,
                                std::size_t count) {
  std::vector<SimilarRow> rows;
  for (const std::size_t row : candidates) {
    if (row != of)
      rows.push_back(
          {row, evaluation::product(points.of(of), points.of(row), points.dimension), {}});
  }
  const auto last = rows.begin() + static_cast<std::ptrdiff_t>(std::min(count, rows.size()));
  std::partial_sort(rows.begin(), last, rows.end(), [](const SimilarRow& a, const SimilarRow& b) {
    return a.similarity != b.similarity ? a.similarity > b.similarity : a.row < b.row;
  });
  rows.erase(last, rows.end());
  for (SimilarRow& row : rows) {
    row.similarity = std::min(row.similarity, 1.0);  // rounding aside
    row.shared = shared(points, of, row.row);
  }
  return rows;
}

}  // namespace

Similarity similar(const Model& model, const Dataset& data, std::span<const std::size_t> rows,
                   const SimilarOptions& options) {
  const evaluation::RowPoints points = evaluation::row_points(model, data, options.threads);
  Similarity out{points.metric, 0, std::vector<SimilarRows>(rows.size())};
  std::vector<std::size_t> candidates;
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (data.observed(row) > 0) candidates.push_back(row);
  }
  out.empty_rows = data.rows - candidates.size();
  core::parallel_for(rows.size(), core::thread_count(options.threads),
                     [&](std::size_t i, std::size_t) {
                       SimilarRows& found = out.of_row[i];
                       found.empty = data.observed(rows[i]) <= 0;
                       if (!found.empty)
                         found.nearest = nearest(points, candidates, rows[i], options.count);
                     });
  return out;
}

}  // namespace medley
