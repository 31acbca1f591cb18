// SPDX-License-Identifier: Apache-2.0
// The parameters of a model: tables with and without padding, and every parameter with its name in
// the export.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "medley/model.hpp"

namespace medley::model {

// Conversion of tables between files and draws, rows x K, and families, whose rows are padded for
// the kernels.

[[nodiscard]] std::vector<double> unpadded(std::span<const double> table, std::size_t components);
[[nodiscard]] std::vector<double> padded(std::span<const double> table, std::size_t components);

// Every parameter of a model with its name in the export layout, one number each: the prior of the
// memberships, then the parameters of the families, feature by feature.

struct NamedParameter {
  std::string feature;  ///< empty: a parameter of the membership
  std::string key;      ///< "alpha", "pi", "p", "mean", "sd", "rate", ...
  std::string level;    ///< for a list: the level or the word
  bool list = false;
  std::size_t index = 0;      ///< in a list, from 0
  std::size_t component = 0;  ///< from 0
  double value = 0;

  /// "alpha[2]", "sleep.p[2]", "party.p(left)[2]".
  [[nodiscard]] std::string text() const;
};

/// Leaves out what all components have in common, because it is not learnt. Models with the same
/// columns and number of components have the same list.
[[nodiscard]] std::vector<NamedParameter> named_parameters(const Model& model);

/// Only their values, in the same order: for many draws of one model.
[[nodiscard]] std::vector<double> parameter_values(const Model& model);

}  // namespace medley::model
