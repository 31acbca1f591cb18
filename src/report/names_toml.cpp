// SPDX-License-Identifier: Apache-2.0
// Names of profiles from the TOML file that the page writes:
//
//   [names]
//   2 = "Frail"
#include <toml++/toml.h>
#include <charconv>
#include <string>

#include "core/text.hpp"
#include "medley/error.hpp"
#include "medley/report.hpp"

namespace medley {
namespace {

std::string where(const std::string& file, const toml::source_region& at) {
  return file + ":" + std::to_string(at.begin.line);
}

/// The index of a profile, from 0; or nothing, after adding a problem.
std::optional<std::size_t> profile_of(std::string_view key, std::size_t components,
                                      const std::string& at, std::vector<Problem>& problems) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), number);
  const bool whole = error == std::errc() && end == key.data() + key.size();
  if (whole && number >= 1 && number <= components) return number - 1;
  problems.push_back({at, "there is no profile " + core::quoted(std::string(key)),
                      "the model has 1 to " + std::to_string(components)});
  return std::nullopt;
}

toml::table parsed(std::string_view text, const std::string& file) {
  if (const auto line = core::line_of_deep_key(text))
    throw InputError({file + ':' + std::to_string(*line), "a key of too many parts",
                      "the file must be TOML, such as the page of medley report writes"});
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw InputError({where(file, error.source()), std::string(error.description()),
                      "the file must be TOML, such as the page of medley report writes"});
  }
}

}  // namespace

Model named_by(const Model& model, std::string_view toml_text, const std::string& file) {
  const toml::table document = parsed(toml_text, file);
  const toml::table* names = document["names"].as_table();
  if (names == nullptr)
    throw InputError(
        {file, "has no table [names]", "write [names], then lines such as 2 = \"Frail\""});
  std::vector<Problem> problems;
  Model out = model;
  for (const auto& [key, value] : *names) {
    const std::string at = where(file, value.source());
    const auto profile = profile_of(key.str(), model.components(), at, problems);
    const auto name = value.value_exact<std::string>();
    if (!name) problems.push_back({at, "a name must be a text in quotes", "such as 2 = \"Frail\""});
    if (profile && name) out = out.renamed(*profile, *name);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return out;
}

}  // namespace medley
