// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/task.hpp"

#include "data/block_weights.hpp"
#include "evaluate/feature_columns.hpp"
#include "evaluate/pair_residuals.hpp"
#include "evaluate/patterns.hpp"
#include "evaluate/predictive_checks.hpp"
#include "evaluate/residual_correlations.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "model/model_on_data.hpp"

namespace medley {
namespace {

constexpr double kMostPairSteps = 4e9;  // some seconds on two cores

PairFit pair_fit(const model::Parts& parts, const Dataset& data,
                 const AbsoluteFitOptions& options) {
  const evaluation::FeatureColumns columns =
      evaluation::feature_columns(data, parts.components(), kMostPairSteps);
  PairFit out;
  out.features = columns.column.size();
  out.features_left_out = columns.left_out;
  evaluation::level_pairs(parts, columns, data.row_weight, options.top, options.threads, out);
  evaluation::number_pairs(parts, columns, data.row_weight, options.top, options.threads, out);
  return out;
}

std::vector<std::string> notes(const AbsoluteFit& fit, const Dataset& data) {
  std::vector<std::string> out;
  for (const Block& block : data.blocks) {
    if (block.encoding == Encoding::tokens && !evaluation::whole_counts(block))
      out.push_back("\"" + block.name + "\": the counts are not whole, so words cannot be drawn");
  }
  if (fit.pairs.features_left_out > 0) {
    out.push_back("pairs of the " + std::to_string(fit.pairs.features) +
                  " most observed columns; " + std::to_string(fit.pairs.features_left_out) +
                  " others would take too long or have one level");
  }
  if (fit.checks.rows_left_out > 0) {
    out.push_back("data sets were drawn for " + std::to_string(fit.checks.rows) + " of " +
                  std::to_string(data.rows) + " rows, evenly spread, to bound the time");
  }
  return out;
}

}  // namespace

AbsoluteFit absolute_fit(const Model& model, const Dataset& data, const AbsoluteFitOptions& options,
                         const Hooks& hooks) {
  const core::Task task(hooks);
  if (medley::data::is_tempered(model.schema())) {
    throw InputError({"`absolute_fit`",
                      "the model has block weights: it is tempered and has no expected counts",
                      "fit without `block_weight`"});
  }
  const model::ModelOnData on_data(model, data);
  AbsoluteFit out;
  out.patterns = evaluation::pattern_fit(on_data, data, options);
  out.pairs = pair_fit(on_data.parts(), data, options);
  on_data.parts().prepare_draws();
  out.checks = evaluation::predictive_checks(on_data.parts(), data, options);
  out.notes = notes(out, data);
  return out;
}

}  // namespace medley
