// SPDX-License-Identifier: Apache-2.0
// Profiles as Markdown, LaTeX and complete CSV; inspect_text.cpp has the text format.
#include "report/inspect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include "medley/report.hpp"
#include "model/model.hpp"
#include "report/escapes.hpp"
#include "report/intervals.hpp"
#include "report/profiles.hpp"
#include "report/traits.hpp"

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

namespace medley::report {

// Profiles as Markdown: a heading and a table per profile.

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

// Profiles as LaTeX: one plain tabular per profile and block, no packages needed.

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

// The complete tables as CSV: one line per block, feature, level and component; a number has no
// level but means and standard deviations.

namespace {

// ",low,high", or nothing.
std::string interval_columns(const std::optional<Interval>& interval) {
  return interval ? fmt::format(",{},{}", interval->low, interval->high) : "";
}

void add_levels(const model::ModelBlock& block, std::size_t b, std::size_t f,
                const Intervals& intervals, std::string& out) {
  const Feature& feature = block.shape.features[f];
  const auto first = block.total.begin() + block.shape.first_slot[f];
  const double observed =
      std::accumulate(first, block.total.begin() + block.shape.first_slot[f + 1], 0.0);
  for (std::size_t level = 0; level < feature.levels.size(); ++level) {
    const std::size_t slot = block.shape.first_slot[f] + level;
    const double population = observed > 0 ? block.total[slot] / observed : 0;
    const std::string head =
        fmt::format("{},{},{},{}", csv_field(block.shape.name), csv_field(feature.name),
                    csv_field(label_of(feature, level)), population);
    for (std::size_t k = 0; k < block.family->components(); ++k) {
      const double probability = block.probability(slot, k);
      const double lift = probability / population;
      fmt::format_to(std::back_inserter(out), "{},{},{},", head, k + 1, probability);
      if (std::isfinite(lift)) fmt::format_to(std::back_inserter(out), "{}", lift);
      out += ",,,," + interval_columns(intervals.of_slot(b, slot, k)) + "\n";
    }
  }
}

void add_number(const model::ModelBlock& block, std::size_t b, std::size_t f,
                const Intervals& intervals, std::string& out) {
  const families::Moments overall = block.marginal->numbers()->moments(f, 0);
  for (std::size_t k = 0; k < block.family->components(); ++k) {
    const families::Moments here = block.family->numbers()->moments(f, k);
    fmt::format_to(std::back_inserter(out), "{},{},,,{},,,{},{},{},{}{}\n",
                   csv_field(block.shape.name), csv_field(block.shape.features[f].name), k + 1,
                   here.mean, std::sqrt(here.variance), overall.mean, std::sqrt(overall.variance),
                   interval_columns(intervals.of_mean(b, f, k)));
  }
}

}  // namespace

std::string inspect_csv(const Model& model) {
  std::string out =
      "block,feature,level,population,component,probability,lift,mean,sd,population_mean,"
      "population_sd";
  out += model.parts().draws ? ",low,high\n" : "\n";
  const Intervals intervals(model);
  for (std::size_t b = 0; b < model.parts().blocks.size(); ++b) {
    const model::ModelBlock& block = model.parts().blocks[b];
    for (std::size_t f = 0; f < block.shape.features.size(); ++f) {
      if (block.shape.encoding == Encoding::real) {
        add_number(block, b, f, intervals, out);
      } else {
        add_levels(block, b, f, intervals, out);
      }
    }
  }
  return out;
}

}  // namespace medley::report
