// SPDX-License-Identifier: Apache-2.0
// Sizes of the dearest tests: quick under sanitizers, in full elsewhere (./check --all).
#pragma once

#include <cstdlib>
#include <string_view>

namespace medley::test {

/// Whether fewer repetitions will do: MEDLEY_TEST_SIZE=quick, which the sanitizer presets set.
[[nodiscard]] inline bool quick() {
  const char* size = std::getenv("MEDLEY_TEST_SIZE");
  return size != nullptr && std::string_view(size) == "quick";
}

}  // namespace medley::test
