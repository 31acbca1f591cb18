// SPDX-License-Identifier: Apache-2.0
// What a model says about a cell given the rest of its row is a mixture of components,
//
//   p(x | rest) = sum_k t_k f(x | component k)
//
// of the K of a plain model with t = E[theta | rest], or of the components of all its draws side by
// side, each with its part of 1/D, for a sampled one.
#pragma once

#include <memory>
#include <vector>

#include "model/model_on_data.hpp"

namespace medley::model {

struct PredictiveMixture {
  std::vector<const families::Family*> family;                ///< per block
  std::size_t components = 0;                                 ///< of each
  std::vector<double> share;                                  ///< rows x components
  std::vector<std::unique_ptr<families::Family>> owned = {};  ///< of a sampled model

  [[nodiscard]] std::span<const double> of_row(std::size_t row) const {
    return std::span(share).subspan(row * components, components);
  }
};

/// `rests`: rows with the blocks of the model, which must outlive the mixture. The families are
/// prepared with log rows.
[[nodiscard]] PredictiveMixture predictive_mixture(const ModelOnData& model, const Dataset& rests,
                                                   std::size_t threads);

}  // namespace medley::model
