// SPDX-License-Identifier: Apache-2.0
// Profiles as Markdown: a heading and a table per profile.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/escapes.hpp"
#include "report/formats.hpp"
#include "report/profiles.hpp"

namespace medley::report {
namespace {

std::string markdown_traits(const BlockView& block) {
  std::string out;
  if (!block.traits.empty())
    out += fmt::format("| {} | here | population | {} |\n|---|---:|---:|---:|\n", block.heading,
                       block.difference);
  for (const TraitLine& line : block.traits) {
    out += fmt::format("| {} | {} | {} | {} |\n", markdown_escaped(line.trait),
                       markdown_escaped(line.here), markdown_escaped(line.population),
                       markdown_escaped(line.difference));
  }
  if (!block.rest.empty())
    out += fmt::format("{}{}.\n", block.traits.empty() ? "" : "\n", block.rest);
  return out;
}

std::string markdown_words(const BlockView& block) {
  std::string out = "| ranked by | words |\n|---|---|\n";
  for (const WordLine& line : block.words) {
    std::vector<std::string> words(line.words.size());
    std::transform(line.words.begin(), line.words.end(), words.begin(), markdown_escaped);
    out += fmt::format("| {} | {} |\n", line.ranking, fmt::join(words, ", "));
  }
  return out;
}

}  // namespace

std::string inspect_markdown(const Model& model, const InspectOptions& options) {
  std::string out = markdown_escaped(headline(model)) + "\n";
  const std::vector<ProfileView> profiles = profile_views(model, options.top);
  for (const ProfileView& profile : profiles) {
    out += fmt::format("\n## {} ({})\n", markdown_escaped(profile.title), profile.size);
    for (const BlockView& block : profile.blocks) {
      if (profile.blocks.size() > 1) out += fmt::format("\n**{}**\n", markdown_escaped(block.name));
      out += '\n';
      out += block.words.empty() ? markdown_traits(block) : markdown_words(block);
    }
  }
  const std::vector<std::string> titles = column_titles(profiles);
  if (!titles.empty()) out += '\n';
  for (const std::string& title : titles) out += "- " + markdown_escaped(title) + '\n';
  for (const std::string& line : legend(model)) out += fmt::format("\n*{}*\n", line);
  return out;
}

}  // namespace medley::report
