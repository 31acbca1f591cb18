// SPDX-License-Identifier: Apache-2.0
#include "medley/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/task.hpp"
#include "data/weights.hpp"
#include "evaluate/block_scores.hpp"
#include "evaluate/estimators.hpp"
#include "evaluate/match.hpp"
#include "math/descriptive.hpp"
#include "model/model_on_data.hpp"

namespace medley {
namespace {

void add_baselines(const model::Parts& parts, const Dataset& data, std::vector<RowScore>& rows) {
  parts.prepare_marginals();
  for (std::size_t b = 0; b < parts.blocks.size(); ++b) {
    const std::vector<double> block = evaluation::baseline_of_block(parts, data, b);
    for (std::size_t row = 0; row < data.rows; ++row) rows[row].baseline += block[row];
  }
}

std::vector<RowScore> row_scores(const Dataset& data, const evaluation::Estimates& estimates,
                                 const Memberships& memberships) {
  std::vector<RowScore> rows(data.rows);
  for (std::size_t i = 0; i < data.rows; ++i) {
    const std::span<const double> share(memberships.row(i), memberships.components);
    const auto top = std::ranges::max_element(share);
    rows[i].observations = data.observed(i);
    rows[i].log_likelihood = estimates.row[i].log_likelihood;
    rows[i].sampling_error = estimates.row[i].standard_error;
    rows[i].effective_draws = estimates.row[i].effective_samples;
    rows[i].entropy = math::entropy(share);
    rows[i].top = static_cast<std::size_t>(top - share.begin());
    rows[i].top_share = *top;
  }
  return rows;
}

void total_up(const Dataset& data, Evaluation& out) {
  double weights = 0, squares = 0;
  std::vector<double> gain, size, weight;
  for (std::size_t i = 0; i < data.rows; ++i) {
    const RowScore& row = out.row[i];
    gain.push_back(row.log_likelihood - row.baseline);
    size.push_back(row.observations);
    weight.push_back(data.weight_of(i));
    if (row.observations <= 0) {
      ++out.empty_rows;
      continue;
    }
    const double w = data.weight_of(i);
    weights += w;
    out.observations += w * row.observations;
    out.log_likelihood += w * row.log_likelihood;
    out.sampling_error += w * w * row.sampling_error * row.sampling_error;
    out.baseline += w * row.baseline;
    out.mean_entropy += w * row.entropy;
    out.poorly_drawn += row.effective_draws > 0 && row.effective_draws < kFewDraws ? 1 : 0;
  }
  const evaluation::Gain above = evaluation::gain_per_observation(gain, size, weight);
  out.above_baseline = above.per_observation;
  out.above_error = above.error;
  out.sampling_error = std::sqrt(out.sampling_error);
  const double mean = weights > 0 ? out.log_likelihood / weights : 0.0;
  for (std::size_t i = 0; i < data.rows; ++i) {
    if (out.row[i].observations <= 0) continue;
    const double off = data.weight_of(i) * (out.row[i].log_likelihood - mean);
    squares += off * off;
  }
  const auto scored = static_cast<double>(data.rows - out.empty_rows);
  out.standard_error = scored > 1 ? std::sqrt(squares * scored / (scored - 1)) : 0.0;
  out.mean_entropy = weights > 0 ? out.mean_entropy / weights : 0.0;
  out.perplexity = out.observations > 0 ? std::exp(-out.log_likelihood / out.observations) : 1.0;
  out.log_row_perplexity = -mean;
}

TruthScores compare_with_classes(const Dataset& data, const Evaluation& scores,
                                 std::size_t components, const std::string& column, Match match) {
  std::vector<std::size_t> rows(data.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const evaluation::Grouping grouping =
      evaluation::grouping(scores, components, evaluation::truth_column(data, column), rows);
  TruthScores out =
      evaluation::truth_scores(column, grouping, evaluation::match_classes(grouping, match));
  out.match = match;
  return out;
}

// The label, where the model has learnt one.
void add_label(const Model& model, const Dataset& data, std::size_t threads, Evaluation& out) {
  if (!predicts_classes(model)) return;
  const KeptColumn* label = data.label();
  const std::string column = "\"" + model.schema().label()->name + "\"";
  if (label == nullptr) {
    out.label_note = "The data has no column " + column + ": predicted classes cannot be scored.";
    return;
  }
  LabelScores scores =
      score_classes(predict_classes(model, data, threads), *label, data.row_weight);
  if (scores.rows == 0) {
    out.label_note =
        "Column " + column + " is missing in every row: predicted classes cannot be scored.";
    return;
  }
  out.label = std::move(scores);
}

}  // namespace

Memberships transform(const Model& model, const Dataset& data, std::size_t threads,
                      const Hooks& hooks) {
  const core::Task task(hooks);
  const model::ModelOnData on_data(model, data);
  Memberships out{model.components(), on_data.score(data, threads).share};
  const bool exact = !on_data.rows().by_fixed_point;
  if (exact && !on_data.exact(data))
    out.note = "exact memberships of these rows would take too long: standard inference was used";
  return out;
}

Evaluation evaluate(const Model& model, const Dataset& data, const EvaluateOptions& options,
                    const Hooks& hooks) {
  const core::Task task(hooks);
  const model::ModelOnData on_data(model, data);
  Evaluation out;
  out.tempered = medley::data::is_tempered(data.schema);
  const evaluation::Chosen chosen =
      evaluation::choose_estimator(options, on_data, data, out.tempered);
  out.estimator = chosen.estimator;
  out.reason = chosen.reason;
  out.rows = data.rows;
  out.weights = data.weighting();
  evaluation::Estimates estimates =
      evaluation::estimate_rows(on_data, data, out.estimator, options);
  const Memberships memberships{
      model.components(), !estimates.share.empty() ? std::move(estimates.share)
                                                   : on_data.score(data, options.threads).share};
  const Dataset& tested = estimates.tested ? *estimates.tested : data;
  out.row = row_scores(tested, estimates, memberships);
  add_baselines(on_data.parts(), tested, out.row);
  total_up(data, out);
  if (options.each_block && data.blocks.size() > 1)
    out.block = evaluation::block_scores(on_data, data, estimates, out.estimator, options);
  for (const std::string& column : options.truth)
    out.truth.push_back(compare_with_classes(data, out, model.components(), column, options.match));
  add_label(model, data, options.threads, out);
  return out;
}

}  // namespace medley
