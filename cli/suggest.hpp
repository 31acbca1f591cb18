// SPDX-License-Identifier: Apache-2.0
// "Did you mean ...?": the known word closest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace medley::cli {

/// The closest of `known` by edits (insert, delete, replace, swap neighbours); empty if none is
/// close.
[[nodiscard]] std::string closest(std::string_view word, const std::vector<std::string>& known);
/// `did you mean "fit"?`, or empty.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& known);

}  // namespace medley::cli
