// SPDX-License-Identifier: Apache-2.0
// Profiles as LaTeX: one plain tabular per profile and block, no packages needed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/escapes.hpp"
#include "report/formats.hpp"
#include "report/profiles.hpp"

namespace medley::report {
namespace {

std::string latex_traits(const BlockView& block) {
  std::string out = fmt::format(
      "\\begin{{tabular}}{{lrrr}}\n\\hline\n{} & here & population & {} \\\\\n\\hline\n",
      block.heading, block.difference);
  for (const TraitLine& line : block.traits) {
    out +=
        fmt::format("{} & {} & {} & {} \\\\\n", latex_escaped(line.trait), latex_escaped(line.here),
                    latex_escaped(line.population), latex_escaped(line.difference));
  }
  if (!block.rest.empty()) out += fmt::format("\\multicolumn{{4}}{{l}}{{{}}} \\\\\n", block.rest);
  return out + "\\hline\n\\end{tabular}\n";
}

std::string latex_words(const BlockView& block) {
  std::string out =
      "\\begin{tabular}{lp{0.75\\linewidth}}\n\\hline\nranked by & words \\\\\n\\hline\n";
  for (const WordLine& line : block.words) {
    std::vector<std::string> words(line.words.size());
    std::transform(line.words.begin(), line.words.end(), words.begin(), latex_escaped);
    out += fmt::format("{} & {} \\\\\n", line.ranking, fmt::join(words, ", "));
  }
  return out + "\\hline\n\\end{tabular}\n";
}

}  // namespace

std::string inspect_latex(const Model& model, const InspectOptions& options) {
  std::string out = "% " + headline(model) + "\n";
  const std::vector<ProfileView> profiles = profile_views(model, options.top);
  for (const ProfileView& profile : profiles) {
    out += fmt::format("\n\\paragraph{{{} ({})}}\n", latex_escaped(profile.title),
                       latex_escaped(profile.size));
    for (const BlockView& block : profile.blocks) {
      if (profile.blocks.size() > 1)
        out += fmt::format("\n\\emph{{{}}}\n", latex_escaped(block.name));
      out += '\n';
      out += block.words.empty() ? latex_traits(block) : latex_words(block);
    }
  }
  for (const std::string& title : column_titles(profiles))
    out += fmt::format("\n{{\\small {}}}\n", latex_escaped(title));
  for (const std::string& line : legend(model))
    out += fmt::format("\n{{\\small {}}}\n", latex_escaped(line));
  return out;
}

}  // namespace medley::report
