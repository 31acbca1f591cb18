// SPDX-License-Identifier: Apache-2.0
// Files that a person may have written: schemas, names.
#pragma once

#include <optional>
#include <string>

namespace medley::cli {

/// The file whole; nothing if it cannot be opened. Throws InputError if it cannot be read or is
/// longer than any such file.
[[nodiscard]] std::optional<std::string> short_text(const std::string& path);

}  // namespace medley::cli
