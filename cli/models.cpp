// SPDX-License-Identifier: Apache-2.0
// medley models: what can be fitted, and the defaults.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "command.hpp"
#include "flags.hpp"
#include "medley/options.hpp"
#include "output.hpp"

namespace medley::cli {
namespace {

constexpr const char* kModelsHelp =
    R"(List presets, memberships, inferences, families, defaults, and refused combinations.

Example:
  medley models)";

std::string section(const std::string& title, const std::vector<CatalogueEntry>& entries) {
  std::size_t width = 0;
  for (const CatalogueEntry& entry : entries) width = std::max(width, entry.name.size());
  std::string out = title + "\n";
  for (const CatalogueEntry& entry : entries)
    out += fmt::format("  {:<{}}  {}\n", entry.name, width, entry.summary);
  return out + "\n";
}

std::string preset_table() {
  std::string out = fmt::format("Presets (--model)\n  {:<16} {:<11} {:<10} {:<10} {:<7}  {}\n",
                                "name", "membership", "inference", "alpha", "data", "what it is");
  for (const Preset& preset : presets()) {
    out += fmt::format("  {:<16} {:<11} {:<10} {:<10} {:<7}  {}\n", preset.name, preset.membership,
                       preset.inference, preset.alpha.empty() ? "-" : preset.alpha, preset.encoding,
                       preset.summary);
  }
  return out + "\n";
}

/// Of the options that have one.
std::string defaults(const std::string& title, std::span<const OptionField> fields) {
  std::vector<CatalogueEntry> entries;
  for (const OptionField& field : fields) {
    if (!field.default_text.empty() && field.type != "yes/no")
      entries.push_back({flag_of(field.name), as_flags(field.default_text)});
  }
  return section(title, entries);
}

std::string all_defaults() {
  return defaults("Defaults of medley fit", fit_option_fields()) +
         defaults("Defaults of reading data", read_option_fields());
}

int run_models() {
  write_text("", preset_table() + section("Memberships (--membership)", list_memberships()) +
                     section("Inference (--inference)", list_inferences()) +
                     section("Estimates (--estimate)", list_estimates()) +
                     section("Families (--column NAME=FAMILY)", list_families()) + all_defaults() +
                     as_flags(section("Not offered", list_not_offered())));
  return kDone;
}

}  // namespace

void add_models(CommandLine& app, Program& program) {
  app.add_command("models", kModelsHelp).callback([&program] { program.run = run_models; });
}

}  // namespace medley::cli
