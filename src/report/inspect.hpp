// SPDX-License-Identifier: Apache-2.0
// One function per output format of `inspect`.
#pragma once

#include <string>

#include "medley/report.hpp"

namespace medley::report {

[[nodiscard]] std::string inspect_text(const Model& model, const InspectOptions& options);
[[nodiscard]] std::string inspect_markdown(const Model& model, const InspectOptions& options);
[[nodiscard]] std::string inspect_latex(const Model& model, const InspectOptions& options);
/// Every level of every feature; text as in the data.
[[nodiscard]] std::string inspect_csv(const Model& model);

}  // namespace medley::report
