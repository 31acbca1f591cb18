// SPDX-License-Identifier: Apache-2.0
// The inference of a fit for which none was asked for: the likelihood itself where it can be had,
// because on short rows the mean-field bound is far below it and its fits are worse; for words
// collapsed inference, which finds better topics than mean-field and sooner
// (docs/decisions/0018-collapsed.md); else mean-field where rows are long, and sampling in between.
// Every inference says itself how well it suits. What is chosen depends on data and K, never on the
// machine.
#pragma once

#include <cstddef>
#include <string>

#include "medley/data.hpp"
#include "model/inference.hpp"

namespace medley::model {

/// What is to be fitted.
struct Situation {
  const Dataset& data;
  const memberships::MembershipEntry& membership;
  std::size_t components = 0;
  std::size_t restarts = 1;
  bool label = false;      ///< a label is learnt
  bool posterior = false;  ///< tables are to be posteriors
  bool minibatches = false;
  bool no_table_prior = false;  ///< there is no smoothing
  bool words_alone = false;     ///< an inference is wanted only if it was made for these words
};

struct InferenceChoice {
  const Inference* inference = nullptr;  ///< null: none suits, the preset decides
  std::string why;                       ///< a sentence for the summary
};

/// Whether it suits at all.
[[nodiscard]] bool suits(const Inference& inference, const Situation& situation);
/// The one that suits best of those whose needs are met.
[[nodiscard]] InferenceChoice choose_inference(const Situation& situation);

}  // namespace medley::model
