// SPDX-License-Identifier: Apache-2.0
// What the library says of options, as a command line has it. Its messages name options and
// functions in backticks:
//
//   `max_iterations`            --max-iterations
//   `inference="exact"`         --inference exact
//   `column="a b=gaussian"`     --column "a b=gaussian"
//   `pool_levels=true`          --pool-levels
//   `infer_schema()`            `medley schema`
//   `select(DATA, k="2..9")`    `medley select DATA --k 2..9`
//
// Everything else stays: words in backticks that are no option, and what stands in double quotes,
// which is the user's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "medley/options.hpp"

namespace medley::cli {

[[nodiscard]] std::string as_flags(std::string_view text);
[[nodiscard]] std::vector<std::string> as_flags(std::vector<std::string> sentences);
/// --max-iterations of max_iterations.
[[nodiscard]] std::string flag_of(std::string_view option);
/// Broken into lines between words.
[[nodiscard]] std::string in_short_lines(const std::string& text);
/// Of help: what it is and its default.
[[nodiscard]] std::string help_of(const OptionField& field);
/// What is wrong with a value, or nothing; then the option is set.
template <class Options>
[[nodiscard]] std::string set_from_flag(Options& options, const std::string& name,
                                        const std::string& text);

}  // namespace medley::cli
