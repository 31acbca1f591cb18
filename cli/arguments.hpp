// SPDX-License-Identifier: Apache-2.0
// Small things about the words of a command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace medley::cli {

/// A word as a shell needs it: 'it'\''s' for it's; plain words stay as they are.
[[nodiscard]] std::string shell_quoted(const std::string& word);
/// A piece in double quotes at the beginning of `text`, which is taken off; a doubled quote stands
/// for itself. Nothing, and `text` as it was, if there is none.
[[nodiscard]] std::optional<std::string> take_quoted(std::string_view& text);
/// The pieces between commas, blanks around them removed, empty ones left out. A piece that holds a
/// comma goes in double quotes.
[[nodiscard]] std::vector<std::string> comma_list(std::string_view text);
/// The command line that continues an interrupted fit: the same words with --checkpoint and
/// --resume.
[[nodiscard]] std::string resume_command(const std::vector<std::string>& arguments,
                                         const std::string& checkpoint);

}  // namespace medley::cli
