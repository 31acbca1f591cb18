// SPDX-License-Identifier: Apache-2.0
// --inference auto: the likelihood itself where it can be had, because on short rows the mean-field
// bound is far below it and its fits are worse; for words collapsed inference, which finds better
// topics than mean-field and sooner (docs/decisions/0018-collapsed.md); else mean-field where rows
// are long, and sampling in between. What is chosen depends on data and K, never on the machine.
#pragma once

#include <cstddef>
#include <string>

#include "medley/dataset.hpp"

namespace medley::model {

struct InferenceChoice {
  std::string name;  ///< a mode of mixed membership
  std::string why;   ///< a sentence for the summary
};

/// Collapsed inference, if there are words, with a few answers beside them at most, and it would
/// not take too much memory; else a choice without a name. It goes before every other but exact
/// inference.
[[nodiscard]] InferenceChoice choose_for_words(const Dataset& data, std::size_t components);

[[nodiscard]] InferenceChoice choose_inference(const Dataset& data, std::size_t components,
                                               std::size_t restarts);

}  // namespace medley::model
