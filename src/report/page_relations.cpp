// SPDX-License-Identifier: Apache-2.0
// How profiles lie to each other: mean Hellinger distance over features (compare.hpp), and which of
// them occur together (correlations.hpp).
#include <nlohmann/json.hpp>

#include "evaluate/alignment.hpp"
#include "medley/evaluate.hpp"
#include "model/model.hpp"
#include "report/page_parts.hpp"

namespace medley::report {

PageJson page_relations(const Model& model, const Dataset* data, std::size_t threads) {
  const model::Parts& parts = model.parts();
  const auto common = evaluation::common_features(parts, parts);
  const auto alignment = evaluation::align(common.both, parts.components(), parts.components());
  PageJson out = {{"distance", finite(alignment.distance)}};
  const bool located = parts.membership->located() != nullptr;
  if (!located && (data == nullptr || data->rows < 2)) return out;
  const ComponentCorrelations correlations =
      located ? component_correlations(model) : component_correlations(model, *data, threads);
  out["correlation"] = finite(correlations.matrix);
  out["basis"] = correlations.basis;
  out["located"] = located;
  return out;
}

}  // namespace medley::report
