// SPDX-License-Identifier: Apache-2.0
#include "model/choose_inference.hpp"

#include <cmath>

#include "data/distinct_cells.hpp"
#include "data/distinct_rows.hpp"
#include "kernels/lanes.hpp"
#include "model/exact_plan.hpp"

namespace medley::model {
namespace {

// Of one exact E-step: half a minute for a fit of 60 iterations on two cores.
constexpr double kCheapSteps = 1e9;
// Observations times K of a sampled iteration: a minute or two for a fit.
constexpr double kCheapDraws = 3e7;
// Of collapsed inference, which keeps K numbers for every cell.
constexpr double kMostCollapsedBytes = 4e9;
// The share of cells that are words from which answers beside them count for little.
constexpr double kMostlyWords = 0.9;
// Rows of more observations are long enough for mean-field.
constexpr double kShortRow = 50;
// With fewer observations per parameter, tables that are fitted as closely as Monte-Carlo inference
// does it predict worse than the column alone (docs/decisions/0031-default-inference.md).
constexpr double kFewPerParameter = 5;

struct Sizes {
  double rows = 0, observations = 0, slots = 0;
};

Sizes sizes_of(const Dataset& data) {
  Sizes out;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double observed = data.observed(row);
    out.rows += observed > 0 ? 1 : 0;
    out.observations += observed;
  }
  for (const Block& block : data.blocks) out.slots += static_cast<double>(block.slots());
  return out;
}

}  // namespace

InferenceChoice choose_for_words(const Dataset& data, std::size_t components) {
  double cells = 0, words = 0;
  for (const Block& block : data.blocks) {
    if (block.encoding == Encoding::real) return {};
    cells += static_cast<double>(block.cells());
    if (block.encoding == Encoding::tokens) words += static_cast<double>(block.cells());
  }
  if (words < kMostlyWords * cells || (words < cells && !data::whole_weights(data))) return {};
  const double bytes = cells * static_cast<double>(kernels::padded(components) * sizeof(float));
  if (data.blocks.empty() || bytes > kMostCollapsedBytes) return {};
  return {"collapsed",
          "Collapsed inference was chosen: for words it finds better topics than standard "
          "inference, and sooner."};
}

InferenceChoice choose_inference(const Dataset& data, std::size_t components,
                                 std::size_t restarts) {
  if (!data::whole_weights(data))
    return {"standard", "Standard inference was chosen because blocks are weighted."};
  const Sizes sizes = sizes_of(data);
  const double mean = sizes.rows > 0 ? sizes.observations / sizes.rows : 0.0;
  const double most = kCheapSteps / static_cast<double>(restarts);
  if (mean <= kShortRow) {
    const data::DistinctRows distinct = data::distinct_rows(data);
    if (plan_exact(distinct.data, components, most).steps <= most) {
      return {"exact",
              "Exact inference was chosen: for rows this short it is affordable, and better than a "
              "bound."};
    }
  }
  const std::string about = std::to_string(std::lround(mean));
  if (mean > kShortRow) {
    return {"standard", "Standard inference was chosen: rows have " + about +
                            " observations on average, long enough for it."};
  }
  if (sizes.observations < kFewPerParameter * sizes.slots * static_cast<double>(components)) {
    return {"standard",
            "Standard inference was chosen: there are few observations for each parameter, which "
            "Monte-Carlo inference would fit too closely."};
  }
  if (sizes.observations * static_cast<double>(components * restarts) <= kCheapDraws) {
    return {"monte-carlo", "Monte-Carlo inference was chosen: rows are short (" + about +
                               " observations on average), and exact inference would take long."};
  }
  return {
      "standard",
      "Standard inference was chosen: exact and Monte-Carlo inference would take long. Rows are "
      "short, so --inference monte-carlo is better if you can wait."};
}

}  // namespace medley::model
