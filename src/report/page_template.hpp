// SPDX-License-Identifier: Apache-2.0
// The page without its data, as web/ builds it; the definition is written at build time (or, with
// MEDLEY_REPORT=OFF, is an empty text).
#pragma once

#include <string_view>

namespace medley::report {

/// One HTML document with kDataMark once in it; empty: built without.
[[nodiscard]] std::string_view page_template();

inline constexpr std::string_view kDataMark = "@MEDLEY_DATA@";

}  // namespace medley::report
