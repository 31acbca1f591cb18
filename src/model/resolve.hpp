// SPDX-License-Identifier: Apache-2.0
// Options and data meet: defaults are filled in, and an impossible combination is refused in words,
// with every objection listed, before anything is fitted.
#pragma once

#include <string>
#include <vector>

#include "families/family.hpp"
#include "medley/data.hpp"
#include "medley/options.hpp"
#include "memberships/membership.hpp"
#include "model/inference.hpp"

namespace medley::model {

struct Resolved {
  FitOptions options;  ///< model, membership, inference, alpha and init filled in
  const memberships::MembershipEntry* membership = nullptr;
  const Inference* inference = nullptr;
  AlphaMode alpha = AlphaMode::fitted;
  std::string why;  ///< of the inference, in a sentence, where it was chosen and not asked for
  std::size_t classes = 0;  ///< of the label that is learnt; 0: none
  Schema schema;            ///< that the model will carry
  double alpha_start = 0;   ///< value of every alpha_k to begin with (and to end with if fixed)

  /// The prior of the tables.
  [[nodiscard]] families::Smoothing smoothing() const {
    return {options.smoothing.value_or(0), options.shrink.value_or(0),
            options.estimate == Estimate::vb};
  }
};

/// Throws InputError listing everything that stands in the way.
[[nodiscard]] Resolved resolve(const Dataset& data, const FitOptions& options);

/// The schema of a data set, or of a model of it: its own or, where that says nothing of the
/// features (data made by hand), one with a source for every block. Throws InputError if it does
/// not describe the blocks: then nobody could read the same data again.
[[nodiscard]] Schema schema_of(const Dataset& data);

/// The starts of FitOptions::init, and what a model that began with another one says.
[[nodiscard]] std::vector<std::string> named_starts();
inline constexpr const char* kModelStart = "file";

/// The rows of a minibatch: as asked for, or else as the preset says; 0: all rows at once.
[[nodiscard]] std::size_t minibatch(const FitOptions& options, std::size_t rows);

}  // namespace medley::model
