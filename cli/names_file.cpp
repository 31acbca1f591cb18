// SPDX-License-Identifier: Apache-2.0
#include "names_file.hpp"

#include <fstream>
#include <iterator>

#include "medley/error.hpp"
#include "medley/report.hpp"

namespace medley::cli {

Model named_from(const Model& model, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw InputError({path, "there is no such file of names",
                      "the page of medley report exports one; or write [names] and 2 = \"Frail\""});
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) throw InputError({path, "could not be read", ""});
  return named_by(model, text, path);
}

}  // namespace medley::cli
