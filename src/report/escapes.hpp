// SPDX-License-Identifier: Apache-2.0
// Names from the data in the formats that tables are written in: what a format would take for
// markup is written as itself.
#pragma once

#include <string>

namespace medley::report {

[[nodiscard]] std::string markdown_escaped(const std::string& text);
[[nodiscard]] std::string latex_escaped(const std::string& text);
/// A field of CSV, quoted where it must be.
[[nodiscard]] std::string csv_field(const std::string& text);

}  // namespace medley::report
