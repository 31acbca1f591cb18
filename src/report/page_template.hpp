// SPDX-License-Identifier: Apache-2.0
// The page without its data, as web/ builds it. The definition is generated at build time; with
// MEDLEY_REPORT=OFF it is an empty text.
#pragma once

#include <string_view>

namespace medley::report {

/// One HTML document that contains kDataMark once; empty: built without the page.
[[nodiscard]] std::string_view page_template();

inline constexpr std::string_view kDataMark = "@MEDLEY_DATA@";

}  // namespace medley::report
