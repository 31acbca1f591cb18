// SPDX-License-Identifier: Apache-2.0
#include "names_file.hpp"

#include <optional>

#include "medley/error.hpp"
#include "medley/report.hpp"
#include "short_text.hpp"

namespace medley::cli {

Model named_from(const Model& model, const std::string& path) {
  const std::optional<std::string> text = short_text(path);
  if (!text)
    throw InputError({path, "there is no such file of names",
                      "the page of medley report exports one; or write [names] and 2 = \"Frail\""});
  return named_by(model, *text, path);
}

}  // namespace medley::cli
