// SPDX-License-Identifier: Apache-2.0
// Checks of option values, with messages that say what was found and what is wanted.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace medley::cli {

/// Takes the text of a value; returns what is wrong with it, or nothing.
using Check = std::function<std::string(const std::string&)>;

/// A whole number of at least `least`.
[[nodiscard]] Check whole_number(std::size_t least);
/// A number of at least 0, or above 0.
[[nodiscard]] Check number_from_zero();
[[nodiscard]] Check number_above_zero();
/// A number above 0 and at most 1.
[[nodiscard]] Check share();
/// A number above 0 and below 1.
[[nodiscard]] Check share_of_one();
/// Numbers from 0 to 1 with commas between them.
[[nodiscard]] Check share_list();
/// One of the words; a near miss is pointed out.
[[nodiscard]] Check one_of(std::vector<std::string> words);
/// "fitted", "symmetric" or "fixed:VALUE" with a positive VALUE, or one divided by K.
[[nodiscard]] Check alpha_choice();

}  // namespace medley::cli
