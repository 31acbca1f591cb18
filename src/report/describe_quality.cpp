// SPDX-License-Identifier: Apache-2.0
// Topics and profiles, one line each, and in words what is wrong with them.
#include <fmt/format.h>

#include <algorithm>

#include "medley/evaluate.hpp"
#include "medley/report.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"

namespace medley {
namespace {

using report::percent;

constexpr std::size_t kTitle = 24, kQualityNumber = 9, kQualityWords = 44;

std::string component_title(const Model& model, std::size_t component) {
  return report::left(report::shortened(printable(model.title(component)), kTitle), kTitle);
}

std::string cells(const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& value : values) out += "  " + report::right(value, kQualityNumber);
  return out;
}

std::string profile_table(const Quality& quality, const Model& model) {
  std::string out =
      report::left("", kTitle) + cells({"size", "first in", "distance"}) + "  nearest other\n";
  for (std::size_t k = 0; k < quality.profile.size(); ++k) {
    const ProfileScores& p = quality.profile[k];
    const bool alone = p.nearest == k;
    out += component_title(model, k) + cells({percent(p.size), percent(p.top_of_rows),
                                              alone ? "-" : fmt::format("{:.3f}", p.distance)});
    out += alone ? "\n" : "  " + printable(model.title(p.nearest)) + '\n';
  }
  out += fmt::format(
      "\nsize: share of all memberships; first in: rows of which it has the largest share ({});\n"
      "distance: 0 the same, 1 nothing in common (Hellinger, mean over the columns).\n",
      report::count(quality.rows, "row"));
  out += fmt::format(
      "By size they count as {:.1f} equal ones; a row typically holds {:.1f} of them. The smallest "
      "is "
      "{}\nwith {}.\n",
      quality.effective_profiles, quality.profiles_per_row,
      printable(model.title(quality.smallest)), percent(quality.profile[quality.smallest].size));
  return out;
}

std::string copies_text(const Quality& quality, const Model& model) {
  constexpr std::size_t kMost = 10;
  std::string out;
  for (std::size_t i = 0; i < std::min(kMost, quality.copies.size()); ++i) {
    const NearCopies& pair = quality.copies[i];
    out += fmt::format(
        "warning: {} and {} are near copies: a typical row hardly tells them apart (overlap "
        "{:.2f}).\n",
        printable(model.title(pair.a)), printable(model.title(pair.b)), pair.overlap);
  }
  if (quality.copies.size() > kMost)
    out += fmt::format("warning: and {} pairs more.\n", quality.copies.size() - kMost);
  if (!out.empty()) out += "Fewer profiles, or more `restarts`, may do as well.\n";
  return out.empty() ? out : '\n' + out;
}

std::string topic_table(const TopicTable& table, const Model& model) {
  std::string out = fmt::format("\nTop words of \"{}\" in {} documents\n", printable(table.block),
                                report::grouped(table.documents, 0));
  out += report::left("", kTitle) + cells({"NPMI", "UMass", "exclusive"}) + "  words\n";
  std::size_t absent = 0;
  for (std::size_t k = 0; k < table.topic.size(); ++k) {
    const TopicScores& t = table.topic[k];
    const bool scored = t.pairs > 0;
    std::string words;
    for (const std::string& word : t.words) words += (words.empty() ? "" : " ") + printable(word);
    out += component_title(model, k) +
           cells({scored ? fmt::format("{:.3f}", t.npmi) : "-",
                  scored ? fmt::format("{:.3f}", t.umass) : "-", percent(t.exclusivity)}) +
           "  " + report::shortened(words, kQualityWords) + '\n';
    absent += t.absent;
  }
  const bool scored = table.scored > 0;
  out += report::left("mean", kTitle) +
         cells({scored ? fmt::format("{:.3f}", table.npmi) : "-",
                scored ? fmt::format("{:.3f}", table.umass) : "-", percent(table.exclusivity)}) +
         fmt::format("  {} of the top words are different\n", percent(table.diversity));
  if (absent > 0)
    out += fmt::format("{} in no document of this file: left out of NPMI and UMass.\n",
                       report::count(absent, "top word"));
  return out;
}

}  // namespace

std::string describe(const Quality& quality, const Model& model) {
  std::string out = profile_table(quality, model) + copies_text(quality, model);
  for (const TopicTable& table : quality.topics) out += topic_table(table, model);
  if (!quality.topics.empty()) {
    out +=
        "\nNPMI: 1 words that only occur together, 0 unrelated, -1 never together. UMass: log of "
        "the "
        "share of\ndocuments with one word that hold the other, nearer 0 is better. exclusive: the "
        "topic's share among\nall topics.\n";
  }
  return out;
}

}  // namespace medley
