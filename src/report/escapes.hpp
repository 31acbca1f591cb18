// SPDX-License-Identifier: Apache-2.0
// Escapes names from the data for the formats of tables, so that no format takes them for markup.
#pragma once

#include <string>

namespace medley::report {

[[nodiscard]] std::string markdown_escaped(const std::string& text);
[[nodiscard]] std::string latex_escaped(const std::string& text);
/// A field of CSV, quoted where it must be.
[[nodiscard]] std::string csv_field(const std::string& text);

}  // namespace medley::report
