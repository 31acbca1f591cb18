// SPDX-License-Identifier: Apache-2.0
// The parameters of a model: tables with and without padding, and every number under the name that
// the export gives it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "medley/model.hpp"

namespace medley::model {

// Tables as files and draws hold them, rows x K, and as families do, with rows padded for the
// kernels.

[[nodiscard]] std::vector<double> unpadded(std::span<const double> table, std::size_t components);
[[nodiscard]] std::vector<double> padded(std::span<const double> table, std::size_t components);

// Every parameter of a model under the name that the export layout gives it, one number each: the
// prior of the memberships, then feature by feature what its family calls its own.

struct NamedParameter {
  std::string feature;  ///< empty: of the membership
  std::string key;      ///< "alpha", "pi", "p", "mean", "sd", "rate", ...
  std::string level;    ///< of a list: the level or the word
  bool list = false;
  std::size_t index = 0;      ///< of a list: from 0
  std::size_t component = 0;  ///< from 0
  double value = 0;

  /// "alpha[2]", "sleep.p[2]", "party.p(left)[2]".
  [[nodiscard]] std::string text() const;
};

/// What all components have in common is left out: it was not learnt. Models of the same columns
/// and number of components have the same list.
[[nodiscard]] std::vector<NamedParameter> named_parameters(const Model& model);

/// Their values alone, in the same order: for many draws of one model.
[[nodiscard]] std::vector<double> parameter_values(const Model& model);

}  // namespace medley::model
