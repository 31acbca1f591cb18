// SPDX-License-Identifier: Apache-2.0
// The options of a fit and of reading, by name: one table, from which the command line makes its
// flags, `medley models` its list of defaults and other languages their keywords. Model files and
// the fingerprints of checkpoints are written from the same table.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "medley/options.hpp"
#include "medley/read.hpp"

namespace medley {

/// What is to be said of an option. Texts name other options in backticks, as messages do: `k`,
/// `max_iterations=10`, `inference="exact"`.
struct OptionField {
  std::string name;             ///< "max_iterations"; on the command line --max-iterations
  std::string group;            ///< the heading it stands under: "Search"
  std::string value;            ///< what stands for a value where usage is shown: "N"; flags: empty
  std::string type;             ///< "number", "whole number", "text", "yes/no", or a list of such:
                                ///< "numbers", "whole numbers", "texts"
  std::string default_text;     ///< "500", or in words; empty: none
  std::string help;             ///< what it is, without the default; may be empty
  std::string range;            ///< "a whole number of at least 1"; empty: any
  bool in_model = false;        ///< model files have it
  bool in_fingerprint = false;  ///< a fit is not resumed with another value
  bool repeatable = false;      ///< set_option adds to it
};

/// In the order of help: groups together.
[[nodiscard]] std::span<const OptionField> fit_option_fields();
[[nodiscard]] std::span<const OptionField> read_option_fields();

/// Sets an option from text, "true" and "false" for yes and no. Throws InputError: with the nearest
/// name if there is no such option, with the range if the value is none.
void set_option(FitOptions& options, std::string_view name, std::string_view value);
void set_option(ReadOptions& options, std::string_view name, std::string_view value);

/// The text that would set it; empty where the preset and the data decide. What was added to a
/// repeatable option stands in lines.
[[nodiscard]] std::string get_option(const FitOptions& options, std::string_view name);
[[nodiscard]] std::string get_option(const ReadOptions& options, std::string_view name);

}  // namespace medley
