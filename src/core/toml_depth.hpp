// SPDX-License-Identifier: Apache-2.0
// toml++ builds a table for every part of a dotted key (a.b.c = 1) and destroys them by recursion:
// a file of a few kilobytes could use up the stack. So keys are looked at before it reads a text.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace medley::core {

/// More parts than any file of ours has.
inline constexpr std::size_t kMostKeyParts = 64;

/// The line, from 1, of the first key of more than kMostKeyParts parts; nothing if there is none.
[[nodiscard]] std::optional<std::size_t> line_of_deep_key(std::string_view toml);

}  // namespace medley::core
