// SPDX-License-Identifier: Apache-2.0
#include "model/score_rows.hpp"

#include <algorithm>
#include <memory>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "data/distinct.hpp"

namespace medley::model {
namespace {

constexpr std::size_t kScoreRowChunk = 16;

ScoredRows score_each(const EStepModel& model, const Dataset& data, std::size_t threads,
                      Keep keep) {
  const std::size_t components = model.membership->components();
  const std::size_t size = model.membership->state_size();
  ScoredRows result{std::vector<double>(data.rows), std::vector<double>(data.rows * components),
                    std::vector<double>(keep == Keep::shares ? 0 : data.rows * size)};
  std::vector<std::unique_ptr<RowSolver>> solvers(threads);
  const std::size_t chunks = (data.rows + kScoreRowChunk - 1) / kScoreRowChunk;
  core::Stage stage("scoring rows", data.rows);
  core::parallel_for(chunks, threads, [&](std::size_t chunk, std::size_t worker) {
    if (!solvers[worker]) solvers[worker] = std::make_unique<RowSolver>(model, data);
    std::vector<double> state(size);
    for (std::size_t row = chunk * kScoreRowChunk;
         row < std::min(data.rows, (chunk + 1) * kScoreRowChunk); ++row) {
      core::stop_if_asked();
      model.membership->start(data.observed(row), state);
      result.bound[row] = solvers[worker]->solve(row, kScoreLimits, Precision::score, state);
      model.membership->shares(state,
                               std::span(result.share).subspan(row * components, components));
      if (keep != Keep::shares) std::ranges::copy(state, &result.state[row * size]);
    }
    stage.add(std::min(data.rows, (chunk + 1) * kScoreRowChunk) - chunk * kScoreRowChunk);
  });
  return result;
}

// Appends the numbers of one row.
void append_row(const std::vector<double>& from, std::size_t row, std::size_t size,
                std::vector<double>& to) {
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(row * size);
  to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
}

}  // namespace

ScoredRows unfold(const ScoredRows& patterns, const data::DistinctRows& distinct,
                  std::size_t components) {
  const std::size_t size =
      patterns.bound.empty() ? 0 : patterns.state.size() / patterns.bound.size();
  ScoredRows result;
  result.bound.reserve(distinct.pattern.size());
  result.share.reserve(distinct.pattern.size() * components);
  result.state.reserve(distinct.pattern.size() * size);
  for (const std::uint32_t pattern : distinct.pattern) {
    result.bound.push_back(patterns.bound[pattern]);
    append_row(patterns.share, pattern, components, result.share);
    append_row(patterns.state, pattern, size, result.state);
  }
  return result;
}

ScoredRows score_rows(const EStepModel& model, const Dataset& data, std::size_t threads,
                      Keep keep) {
  const data::DistinctRows distinct = data::distinct_rows(data);
  return unfold(score_each(model, distinct.data, core::thread_count(threads), keep), distinct,
                model.membership->components());
}

}  // namespace medley::model
