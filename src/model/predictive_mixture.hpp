// SPDX-License-Identifier: Apache-2.0
// The prediction of a cell given the rest of its row is a mixture of components,
//
//   p(x | rest) = sum_k t_k f(x | component k)
//
// For a plain model, its K components with t = E[theta | rest]; for a sampled model, the components
// of all its draws side by side, with weight 1/D for each draw.
#pragma once

#include <memory>
#include <vector>

#include "model/model_on_data.hpp"

namespace medley::model {

struct PredictiveMixture {
  std::vector<const families::Family*> family;                ///< per block
  std::size_t components = 0;                                 ///< of every family
  std::vector<double> share;                                  ///< rows x components
  std::vector<std::unique_ptr<families::Family>> owned = {};  ///< families of a sampled model

  [[nodiscard]] std::span<const double> of_row(std::size_t row) const {
    return std::span(share).subspan(row * components, components);
  }
};

/// `rests`: rows with the blocks of the model; they must outlive the mixture. The families are
/// prepared with log rows.
[[nodiscard]] PredictiveMixture predictive_mixture(const ModelOnData& model, const Dataset& rests,
                                                   std::size_t threads);

}  // namespace medley::model
