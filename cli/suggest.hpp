// SPDX-License-Identifier: Apache-2.0
// "Did you mean ...?": the known word closest to a mistyped one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace medley::cli {

/// The closest of `known` by edits (insert, delete, replace, swap neighbours); empty if none is
/// close.
[[nodiscard]] std::string closest(std::string_view word, const std::vector<std::string>& known);
/// The `count` of `known` with the fewest edits, the closest first; equally close ones in order.
[[nodiscard]] std::vector<std::string> nearest(std::string_view word,
                                               const std::vector<std::string>& known,
                                               std::size_t count);
/// `did you mean "fit"?`, or empty.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& known);

}  // namespace medley::cli
