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
  /// What is wrong with a text, or nothing. Of a repeatable option it adds.
  std::string (*set)(ReadOptions&, std::string_view text) = nullptr;
  /// Of a repeatable option in lines.
  std::string (*get)(const ReadOptions&) = nullptr;
};

[[nodiscard]] const std::vector<ReadOption>& read_option_table();

}  // namespace medley::model
