// SPDX-License-Identifier: Apache-2.0
// --inference auto: the likelihood itself where it can be had, because on short rows the mean-field
// bound is far below it and its fits are worse; mean-field where rows are long, and sampling in
// between. What is chosen depends on data and K, never on the machine.
#pragma once

#include <cstddef>
#include <string>

#include "medley/dataset.hpp"

namespace medley::model {

struct InferenceChoice {
  std::string name;  ///< a mode of mixed membership
  std::string why;   ///< a sentence for the summary
};

[[nodiscard]] InferenceChoice choose_inference(const Dataset& data, std::size_t components,
                                               std::size_t restarts);

}  // namespace medley::model
