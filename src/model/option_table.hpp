// SPDX-License-Identifier: Apache-2.0
// The tables of the options of a fit and of reading. An option is a line in a table and a field of
// the options. Values exist as text and in stored form.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "medley/options.hpp"

namespace medley::model {

// Values of options: as text, as stored in files, and their ranges.

/// A stored value; monostate: no value.
using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string,
                           std::vector<std::size_t>>;

/// The words for the values of an enum, in its order.
template <class Enum>
struct Words;
template <>
struct Words<Estimate> {
  static constexpr std::array<std::string_view, 2> list = {"map", "vb"};
};
template <>
struct Words<LabelHead> {
  static constexpr std::array<std::string_view, 2> list = {"none", "softmax"};
};
template <>
struct Words<LabelBound> {
  static constexpr std::array<std::string_view, 2> list = {"lse", "paper"};
};
template <>
struct Words<LabelObjective> {
  static constexpr std::array<std::string_view, 2> list = {"joint", "conditional"};
};

template <class Enum>
[[nodiscard]] std::string word_of(Enum value) {
  return std::string(Words<Enum>::list[static_cast<std::size_t>(value)]);
}

template <class T>
[[nodiscard]] Value to_value(const T& field) {
  if constexpr (std::is_enum_v<T>) {
    return word_of(field);
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double> ||
                       std::is_same_v<T, std::string> ||
                       std::is_same_v<T, std::vector<std::size_t>>) {
    return field;
  } else {
    static_assert(std::is_unsigned_v<T>);
    return std::uint64_t{field};
  }
}

template <class T>
[[nodiscard]] Value to_value(const std::optional<T>& field) {
  return field ? to_value(*field) : Value{};
}

/// The value must be of the field's kind.
template <class T>
void from_value(const Value& value, T& field) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double> ||
                std::is_same_v<T, std::string> || std::is_same_v<T, std::vector<std::size_t>>) {
    field = std::get<T>(value);
  } else {
    static_assert(std::is_unsigned_v<T>);
    field = static_cast<T>(std::get<std::uint64_t>(value));
  }
}

/// No value, or a word that the field does not know, leaves it empty.
template <class T>
void from_value(const Value& value, std::optional<T>& field) {
  field.reset();
  if (std::holds_alternative<std::monostate>(value)) return;
  if constexpr (std::is_enum_v<T>) {
    const auto& words = Words<T>::list;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == std::get<std::string>(value)) field = static_cast<T>(i);
    }
  } else {
    from_value(value, field.emplace());
  }
}

/// The range of an option, and how its text is read.
struct Range {
  std::string type;  ///< "whole number"
  std::string text;  ///< "a whole number of at least 1"
  /// Reads a text into `value`. Returns the problem; empty if there is none.
  std::function<std::string(std::string_view text, Value& value)> read;
};

[[nodiscard]] Range whole_from(std::uint64_t least);
/// Numbers at least 0; above 0; above one number and at most another; from one to another.
[[nodiscard]] Range from_zero();
[[nodiscard]] Range above_zero();
[[nodiscard]] Range above_to(double low, double high);
[[nodiscard]] Range from_to(double low, double high);
[[nodiscard]] Range words_of(std::vector<std::string> words);
template <class Enum>
[[nodiscard]] Range words_of() {
  return words_of(std::vector<std::string>(Words<Enum>::list.begin(), Words<Enum>::list.end()));
}
[[nodiscard]] Range any_text();
[[nodiscard]] Range yes_or_no();
/// Whole numbers from 1 with commas between them.
[[nodiscard]] Range whole_numbers();
/// "fitted", "symmetric" or "fixed:VALUE" with a VALUE above 0, or one divided by K.
[[nodiscard]] Range alpha_words();

/// Reads "a,b" as two numbers above 0; returns whether the text has that form.
[[nodiscard]] bool read_two(std::string_view text, double& first, double& second);
[[nodiscard]] std::string number_text(double value);
/// The text for set_option; empty for no value.
[[nodiscard]] std::string text_of(const Value& value);

// The table of the options of a fit (fit_option_table.cpp): an option is a line there and a field
// in FitOptions. The description and the flag are public (medley/options.hpp); the places serve the
// code that stores options: model_file.cpp and the fingerprint of checkpoints.

/// Which model files hold a place.
enum class Written {
  never,
  always,
  since,         ///< always, but not in files of earlier versions
  if_set,        ///< if it differs from the default
  with_rates,    ///< for memberships with such priors
  with_chains,   ///< for sampled models
  with_batches,  ///< for fits in minibatches
};

/// A field of FitOptions that an option sets. Most options have one place; a few have two or three.
struct Place {
  std::string key;  ///< "max_iterations"; in an object of the model file "label.weight"
  Value (*get)(const FitOptions&) = nullptr;
  void (*set)(FitOptions&, const Value&) = nullptr;
  Written written = Written::never;
  Value unset = {};  ///< what a file holds if it has no value
};

/// An option. Without a name: a value stored beside the options.
struct FitOption {
  OptionField field;
  std::vector<Place> places;
  /// Sets the option from text. Returns the problem; empty if there is none.
  std::function<std::string(FitOptions&, std::string_view text)> set;
  std::function<std::string(const FitOptions&)> get;
};

[[nodiscard]] const std::vector<FitOption>& fit_option_table();
/// Whether a model file with these options holds the place.
[[nodiscard]] bool is_written(const Place& place, const FitOptions& options);

}  // namespace medley::model
