// SPDX-License-Identifier: Apache-2.0
#include "medley/report.hpp"

#include "report/formats.hpp"

namespace medley {

std::string inspect(const Model& model, const InspectOptions& options) {
  switch (options.format) {
    case TextFormat::csv:
      return report::inspect_csv(model);
    case TextFormat::md:
      return report::inspect_markdown(model, options);
    case TextFormat::latex:
      return report::inspect_latex(model, options);
    case TextFormat::text:
      break;
  }
  return report::inspect_text(model, options);
}

}  // namespace medley
