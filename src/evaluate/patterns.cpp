// SPDX-License-Identifier: Apache-2.0
#include "evaluate/patterns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/task.hpp"
#include "data/distinct.hpp"
#include "data/select_rows.hpp"
#include "evaluate/estimators.hpp"
#include "model/exact_rows.hpp"

namespace medley::evaluation {
namespace {

constexpr double kLeastCount = 5;
constexpr std::size_t kAboutPatterns = 25;

bool is_pattern_block(const Block& block) {
  return block.encoding == Encoding::levels;
}

// Whether the row answers every feature with levels, each once.
bool complete(const Dataset& data, std::size_t row) {
  return std::ranges::all_of(data.blocks, [&](const Block& block) {
    if (!is_pattern_block(block)) return true;
    const std::uint64_t begin = block.row_start[row];
    if (block.row_start[row + 1] - begin != block.features.size()) return false;
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      const std::uint32_t slot = block.slot[begin + f];
      if (slot < block.first_slot[f] || slot >= block.first_slot[f + 1]) return false;
      if (block.weight_of(begin + f) != 1.0F) return false;
    }
    return true;
  });
}

// Those rows with their levels alone.
Dataset levels_of(const Dataset& data, const std::vector<std::size_t>& rows) {
  Dataset out;
  out.rows = rows.size();
  for (const std::size_t row : rows) out.row_weight.push_back(data.weight_of(row));
  for (const Block& from : data.blocks) {
    Block& to = out.blocks.emplace_back(from.shape());
    for (const std::size_t row : rows) {
      if (is_pattern_block(from))
        medley::data::append_cells(from, from.row_start[row], from.row_start[row + 1], to);
      to.row_start.push_back(to.slot.size());
    }
  }
  return out;
}

// The patterns that occur often enough, most frequent first; ties in order of first appearance.
std::vector<std::size_t> frequent(const std::vector<double>& count, double& least) {
  std::vector<std::size_t> order(count.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return count[a] != count[b] ? count[a] > count[b] : a < b;
  });
  if (least <= 0) {
    least = kLeastCount;
    if (order.size() > kAboutPatterns) least = std::max(least, count[order[kAboutPatterns - 1]]);
  }
  std::erase_if(order, [&](std::size_t pattern) { return count[pattern] < least; });
  return order;
}

Estimator choose(const model::ModelOnData& model, const Dataset& patterns) {
  if (model.exact(patterns)) return Estimator::exact;
  const model::ExactCost cost = model::exact_cost(patterns, model.parts().components());
  return cost.affordable(model::kQuickSteps) ? Estimator::exact : Estimator::importance;
}

std::vector<std::string> levels_in_words(const Dataset& data, std::size_t row) {
  std::vector<std::string> out;
  for (const Block& block : data.blocks) {
    if (!is_pattern_block(block)) continue;
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      const std::uint32_t slot = block.slot[block.row_start[row] + f];
      out.push_back(block.features[f].levels[slot - block.first_slot[f]]);
    }
  }
  return out;
}

// Expected counts, residuals and their sums for the patterns listed.
void add_residuals(const model::ModelOnData& model, const Dataset& patterns,
                   const AbsoluteFitOptions& options, PatternFit& into) {
  into.estimator = choose(model, patterns);
  EvaluateOptions estimating;
  estimating.samples = options.samples;
  estimating.seed = options.seed;
  estimating.threads = options.threads;
  const Estimates estimates = estimate_rows(model, patterns, into.estimator, estimating);
  for (std::size_t i = 0; i < patterns.rows; ++i) {
    AnswerPattern& p = into.pattern.emplace_back();
    p.levels = levels_in_words(patterns, i);
    p.observed = patterns.weight_of(i);
    p.expected = into.rows * std::exp(estimates.row[i].log_likelihood);
    p.expected_error = p.expected * estimates.row[i].standard_error;
    // An expected count below the smallest double is as impossible as one at it.
    p.residual = (p.observed - p.expected) / std::sqrt(std::max(p.expected, 1e-300));
    into.sum_absolute += std::abs(p.residual);
    into.sum_squares += p.residual * p.residual;
    into.rest_observed -= p.observed;
    into.rest_expected -= p.expected;
    if (std::abs(p.residual) > std::abs(into.pattern[into.worst].residual)) into.worst = i;
  }
}

}  // namespace

PatternFit pattern_fit(const model::ModelOnData& model, const Dataset& data,
                       const AbsoluteFitOptions& options) {
  PatternFit out;
  out.least_count = options.least_count;
  for (const Block& block : data.blocks) {
    if (!is_pattern_block(block)) continue;
    for (const Feature& feature : block.features) out.features.push_back(feature.name);
  }
  if (out.features.empty()) return out;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    if (complete(data, row)) rows.push_back(row);
  }
  out.incomplete = data.rows - rows.size();
  const Dataset patterns = medley::data::distinct_rows(levels_of(data, rows)).data;
  std::vector<double> count;
  for (std::size_t i = 0; i < patterns.rows; ++i)
    out.rows += count.emplace_back(patterns.weight_of(i));
  out.distinct = patterns.rows;
  const std::vector<std::size_t> listed = frequent(count, out.least_count);
  out.rest_observed = out.rest_expected = out.rows;
  add_residuals(model, medley::data::select_rows(patterns, listed), options, out);
  out.rest_expected = std::max(0.0, out.rest_expected);
  return out;
}

}  // namespace medley::evaluation
