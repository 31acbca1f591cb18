// SPDX-License-Identifier: Apache-2.0
// The built-in lists of stop words, a language each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace medley::data {

struct StopList {
  std::string name;                ///< the language in small letters: "english"
  std::vector<std::string> words;  ///< each once
};

/// In the order of their names.
[[nodiscard]] const std::vector<StopList>& stop_lists();

}  // namespace medley::data
