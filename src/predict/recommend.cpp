// SPDX-License-Identifier: Apache-2.0
// The best items that a row has not rated: predicts every missing cell of its block of items and
// keeps the best.
#include <algorithm>
#include <numeric>

#include "core/task.hpp"

#include "core/text.hpp"
#include "data/number.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "model/model.hpp"
#include "model/model_on_data.hpp"
#include "predict/cell_index.hpp"

namespace medley {
namespace {

// Rows are processed in groups of about this many cells, to limit memory.
constexpr std::size_t kCellsAtOnce = 100'000;

// The levels that the items share.
const std::vector<std::string>& levels_of(const Block& block) {
  const std::vector<std::string>& levels = block.features.front().levels;
  if (std::ranges::any_of(block.features, [&](const Feature& f) { return f.levels != levels; })) {
    throw InputError({block.name, "its items have levels of their own, so no score ranks them",
                      "fit with `pool_levels=true`, or with a family of numbers"});
  }
  return levels;
}

// The levels as numbers; empty if some level is not a number.
std::vector<double> numbers_of(const std::vector<std::string>& levels) {
  std::vector<double> out;
  for (const std::string& level : levels) {
    const auto number = data::number_in(level);
    if (!number) return {};
    out.push_back(*number);
  }
  return out;
}

std::size_t level_index(const Block& block, const std::string& level) {
  const auto& levels = levels_of(block);
  const auto found = std::ranges::find(levels, level);
  if (found == levels.end()) {
    std::string known;
    for (const std::string& each : levels)
      known += (known.empty() ? "" : ", ") + core::quoted(each);
    throw InputError({"level " + core::quoted(level), "is not one that items can have",
                      known.empty() ? "items have numbers; leave it out" : "one of " + known});
  }
  return static_cast<std::size_t>(found - levels.begin());
}

// How cells are ranked: by the expectation of these values of the levels, or by the mean (numbers).
struct Ranking {
  std::vector<double> worth;  // per level; empty: numbers
  std::string meaning;
};

Ranking ranking_of(const Block& block, const std::string& level) {
  if (block.encoding != Encoding::levels && level.empty()) return {{}, "mean value"};
  std::vector<double> numbers =
      level.empty() ? numbers_of(levels_of(block)) : std::vector<double>{};
  if (!numbers.empty()) return {std::move(numbers), "mean value"};
  const std::size_t chosen =
      level.empty() ? levels_of(block).size() - 1 : level_index(block, level);
  std::vector<double> worth(levels_of(block).size(), 0.0);
  worth[chosen] = 1;
  return {std::move(worth), "probability of " + core::quoted(levels_of(block)[chosen])};
}

double score_of(const CellPrediction& cell, const Ranking& ranking) {
  if (ranking.worth.empty()) return cell.mean;
  return std::inner_product(ranking.worth.begin(), ranking.worth.end(), cell.probability.begin(),
                            0.0);
}

// (Weighted) cells of each feature in the training data.
std::vector<double> training_cells(const model::ModelBlock& block) {
  std::vector<double> out(block.shape.features.size(), 0.0);
  for (std::size_t f = 0; f < out.size(); ++f) {
    for (std::size_t s = block.shape.first_slot[f]; s < block.shape.first_slot[f + 1]; ++s)
      out[f] += block.total[s];
  }
  return out;
}

std::vector<Recommendation> best_of(std::vector<Recommendation> all, std::size_t top) {
  const auto better = [](const Recommendation& a, const Recommendation& b) {
    return a.score != b.score ? a.score > b.score : a.cell.place.feature < b.cell.place.feature;
  };
  std::ranges::sort(all, better);
  if (all.size() > top) all.erase(all.begin() + static_cast<std::ptrdiff_t>(top), all.end());
  return all;
}

void check_recommend(const Dataset& data, const std::vector<std::size_t>& rows, std::size_t block) {
  const bool there = block < data.blocks.size() && predict::predictable(data.blocks[block]) &&
                     !data.blocks[block].features.empty();
  if (!there) throw InputError({"block", "has no items to recommend", "name a rating log"});
  if (data.schema.missing_as_category) {
    throw InputError({"model", "takes a missing rating for an answer: no item is unseen",
                      "fit without `missing=\"category\"` (and not `model=\"nb\"`)"});
  }
  for (const std::size_t row : rows) {
    if (row >= data.rows) throw InputError({"row", "is outside the data", "rows count from 0"});
  }
}

}  // namespace

std::string score_meaning(const Block& block, const RecommendOptions& options) {
  return ranking_of(block, options.level).meaning;
}

std::vector<std::vector<Recommendation>> recommend(const Model& model, const Dataset& data,
                                                   const std::vector<std::size_t>& rows,
                                                   const RecommendOptions& options,
                                                   const Hooks& hooks) {
  const core::Task task(hooks);
  model::check_rows(model, data);
  check_recommend(data, rows, options.block);
  const Block& block = data.blocks[options.block];
  const Ranking ranking = ranking_of(block, options.level);
  const std::vector<double> seen = training_cells(model.parts().blocks.at(options.block));
  PredictOptions predicting;
  predicting.quantiles = {};
  predicting.threads = options.threads;
  std::vector<std::vector<Recommendation>> out(rows.size());
  for (std::size_t begin = 0; begin < rows.size();) {
    core::stop_if_asked();
    const std::size_t first = begin;
    std::vector<CellPlace> cells;
    std::vector<std::size_t> row_of;  // per cell: its place in `rows`
    for (; begin < rows.size() && cells.size() < kCellsAtOnce; ++begin) {
      for (std::size_t f = 0; f < block.features.size(); ++f) {
        const CellPlace place{rows[begin], options.block, f};
        if (seen[f] < options.least_in_training || !predict::cells_at(data, place).empty())
          continue;
        cells.push_back(place);
        row_of.push_back(begin);
      }
    }
    std::vector<CellPrediction> predicted = predict_cells(model, data, cells, predicting);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const double score = score_of(predicted[i], ranking);
      const double in_training = seen[cells[i].feature];
      out[row_of[i]].push_back({std::move(predicted[i]), score, in_training});
    }
    for (std::size_t i = first; i < begin; ++i) out[i] = best_of(std::move(out[i]), options.top);
  }
  return out;
}

}  // namespace medley
