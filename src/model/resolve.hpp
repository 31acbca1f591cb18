// SPDX-License-Identifier: Apache-2.0
// Resolves options for data: fills in defaults, and refuses an impossible combination with a
// message that lists every objection, before anything is fitted.
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
  FitOptions options;  ///< model, membership, inference, alpha and init are set
  const memberships::MembershipEntry* membership = nullptr;
  const Inference* inference = nullptr;
  AlphaMode alpha = AlphaMode::fitted;
  std::string why;  ///< why the inference was chosen, in a sentence; empty if the user set it
  std::size_t classes = 0;  ///< of the label that is learnt; 0: none
  Schema schema;            ///< of the model
  double alpha_start = 0;   ///< start value of every alpha_k (the final value if alpha is fixed)

  /// The prior of the tables.
  [[nodiscard]] families::Smoothing smoothing() const {
    return {options.smoothing.value_or(0), options.shrink.value_or(0),
            options.estimate == Estimate::vb};
  }
};

/// Throws InputError listing every objection.
[[nodiscard]] Resolved resolve(const Dataset& data, const FitOptions& options);

/// The schema of a data set, or of a model fitted to it: its own or, if that does not mention the
/// features (data made by hand), one with a source for every block. Throws InputError if the schema
/// does not describe the blocks, because the same data could then not be read again.
[[nodiscard]] Schema schema_of(const Dataset& data);

/// The starts of FitOptions::init, and the value for a fit that began with another model.
[[nodiscard]] std::vector<std::string> named_starts();
inline constexpr const char* kModelStart = "file";

/// The number of rows of a minibatch: from the options, or else from the preset; 0: all rows at
/// once.
[[nodiscard]] std::size_t minibatch(const FitOptions& options, std::size_t rows);

}  // namespace medley::model
