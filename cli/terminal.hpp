// SPDX-License-Identifier: Apache-2.0
// What stdout and stderr are connected to, and the messages that go to stderr.
#pragma once

#include <cstddef>
#include <string>

#include "medley/error.hpp"

namespace medley::cli {

/// Standard output or standard error as a person sees it.
enum class Stream { out, error };

/// A terminal that understands more than plain text (TERM is not "dumb").
[[nodiscard]] bool is_terminal(Stream stream);
/// A terminal, and NO_COLOR is not set.
[[nodiscard]] bool wants_colour(Stream stream);
/// Columns of the terminal; 100 if there is none.
[[nodiscard]] std::size_t terminal_width(Stream stream);

/// "medley: error: ..." on stderr, control characters replaced, options as flags.
void print_error(const std::string& message);
/// Each problem on a line of its own, then how many more there are.
void print_error(const InputError& error);
/// "medley: ..." on stderr: warnings and hints.
void print_note(const std::string& message);

}  // namespace medley::cli
