// SPDX-License-Identifier: Apache-2.0
// The table of the options of reading (read_option_table.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "medley/options.hpp"

namespace medley::model {

struct ReadOption {
  OptionField field;
  /// Sets the option from text; a repeatable option adds to it. Returns the problem; empty if none.
  std::string (*set)(ReadOptions&, std::string_view text) = nullptr;
  /// The text of the option; the values of a repeatable option are on separate lines.
  std::string (*get)(const ReadOptions&) = nullptr;
};

[[nodiscard]] const std::vector<ReadOption>& read_option_table();

}  // namespace medley::model
