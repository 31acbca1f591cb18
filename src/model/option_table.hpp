// SPDX-License-Identifier: Apache-2.0
// The table of the options of a fit (fit_option_table.cpp): an option is a line there and a field
// in FitOptions. What is said of it and the flag are public (medley/options.hpp); the places
// are for those who write options down: model_file.cpp and the fingerprint of checkpoints.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "medley/options.hpp"
#include "model/option_value.hpp"

namespace medley::model {

/// When a model file has a place.
enum class Written {
  never,
  always,
  since,         ///< always, but not in files of earlier versions
  if_set,        ///< where it differs from the default
  with_rates,    ///< of memberships with such priors
  with_chains,   ///< of models that are sampled
  with_batches,  ///< of fits in minibatches
};

/// A field of FitOptions that an option fills in. Most have one place; a few have two or three.
struct Place {
  std::string key;  ///< "max_iterations"; in an object of the model file "label.weight"
  Value (*get)(const FitOptions&) = nullptr;
  void (*set)(FitOptions&, const Value&) = nullptr;
  Written written = Written::never;
  Value unset = {};  ///< what a file has for none
};

/// An option; without a name, what is stored beside the options.
struct FitOption {
  OptionField field;
  std::vector<Place> places;
  /// What is wrong with a text, or nothing.
  std::function<std::string(FitOptions&, std::string_view text)> set;
  std::function<std::string(const FitOptions&)> get;
};

[[nodiscard]] const std::vector<FitOption>& fit_option_table();
/// Whether a model file with these options has the place.
[[nodiscard]] bool is_written(const Place& place, const FitOptions& options);

}  // namespace medley::model
