// SPDX-License-Identifier: Apache-2.0
#include "medley/evaluate.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/clustering.hpp"
#include "evaluate/estimators.hpp"
#include "medley/error.hpp"
#include "model/model_on_data.hpp"

namespace medley {
namespace {

bool is_tempered(const Schema& schema) {
  return std::ranges::any_of(schema.block_weight,
                             [](const auto& entry) { return entry.second != 1; });
}

// Every cell under the marginal of its column in the training data.
void add_baselines(const model::Parts& parts, const Dataset& data, std::vector<RowScore>& rows) {
  for (std::size_t b = 0; b < parts.blocks.size(); ++b) {
    families::Family& marginal = *parts.blocks[b].marginal;
    marginal.prepare(true);
    std::vector<double> sum(marginal.padded());
    for (std::size_t row = 0; row < data.rows; ++row) {
      std::fill(sum.begin(), sum.end(), 0.0);
      marginal.add_log_rows(data.blocks[b], row, sum.data());
      rows[row].baseline += sum[0];
    }
  }
}

double entropy(std::span<const double> share) {
  double h = 0;
  for (const double p : share) h -= p > 0 ? p * std::log(p) : 0.0;
  return h;
}

std::vector<RowScore> row_scores(const Dataset& data, const evaluation::Estimates& estimates,
                                 std::size_t components) {
  std::vector<RowScore> rows(data.rows);
  for (std::size_t i = 0; i < data.rows; ++i) {
    const std::span<const double> share(&estimates.share[i * components], components);
    const auto top = std::ranges::max_element(share);
    rows[i].observations = data.observed(i);
    rows[i].log_likelihood = estimates.row[i].log_likelihood;
    rows[i].sampling_error = estimates.row[i].standard_error;
    rows[i].entropy = entropy(share);
    rows[i].top = static_cast<std::size_t>(top - share.begin());
    rows[i].top_share = *top;
  }
  return rows;
}

void total_up(const Dataset& data, Evaluation& out) {
  double weights = 0, squares = 0;
  for (std::size_t i = 0; i < data.rows; ++i) {
    const RowScore& row = out.row[i];
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
  }
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

TruthScores compare(const Dataset& data, const Evaluation& evaluation, const std::string& column) {
  const KeptColumn* kept = data.kept_column(column);
  if (kept == nullptr)
    throw InputError(
        {"--truth", "the data has no column \"" + column + "\"", "name a column of the file"});
  std::vector<std::size_t> clusters;
  for (const RowScore& row : evaluation.row) clusters.push_back(row.top);
  const auto a = evaluation::agreement(clusters, kept->code);
  return {column, a.rows, a.micro_precision, a.mutual_information, a.nmi};
}

}  // namespace

Memberships transform(const Model& model, const Dataset& data, std::size_t threads) {
  const model::ModelOnData on_data(model, data);
  Memberships out{model.components(), on_data.score(data, threads).share};
  const bool exact = on_data.mode().engine != memberships::Engine::variational;
  if (exact && !on_data.exact(data))
    out.note = "exact memberships of these rows would take too long: standard inference was used";
  return out;
}

Evaluation evaluate(const Model& model, const Dataset& data, const EvaluateOptions& options) {
  const model::ModelOnData on_data(model, data);
  Evaluation out;
  out.tempered = is_tempered(data.schema);
  out.estimator = evaluation::choose_estimator(options.estimator, on_data, data, out.tempered);
  out.rows = data.rows;
  const evaluation::Estimates estimates =
      evaluation::estimate_rows(on_data, data, out.estimator, options);
  const Dataset& tested = estimates.tested ? *estimates.tested : data;
  out.row = row_scores(tested, estimates, model.components());
  add_baselines(on_data.parts(), tested, out.row);
  total_up(data, out);
  for (const std::string& column : options.truth) out.truth.push_back(compare(data, out, column));
  return out;
}

}  // namespace medley
