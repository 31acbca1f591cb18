// SPDX-License-Identifier: Apache-2.0
// Any bytes give words that are UTF-8, not empty and not long, with and without folding and stems.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/text.hpp"
#include "data/text/tokenise.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace medley;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool fold_case : {true, false}) {
    for (const char* stem : {"", "english", "greek", "turkish", "hindi"}) {
      data::Tokeniser tokeniser({.fold_case = fold_case, .stem = stem});
      tokeniser.words(text, [&](std::string_view word) {
        // A stem may be a little longer than its word.
        if (word.empty() || word.size() > 2 * data::Tokeniser::kLongestWord) std::abort();
        if (core::find_invalid_utf8(word) != std::string_view::npos) std::abort();
      });
    }
  }
  return 0;
}
