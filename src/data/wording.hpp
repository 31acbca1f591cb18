// SPDX-License-Identifier: Apache-2.0
// Names as they are shown in messages: lists, counts, and what a misspelt name was meant to be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace medley::data {

/// A cell as one would type it in a shell: bare if harmless, else quoted.
[[nodiscard]] std::string shell_word(std::string_view text);
/// `"a", "b", "c" and 12 more`.
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::size_t most = 20);
/// The name that `wanted` is probably a misspelling of, or empty.
[[nodiscard]] std::string closest(std::string_view wanted, const std::vector<std::string>& names);
/// `1 row`, `3 rows`.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view thing);

}  // namespace medley::data
