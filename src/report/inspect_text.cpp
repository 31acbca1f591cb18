// SPDX-License-Identifier: Apache-2.0
// Profiles as text for a terminal, in columns that fit its width, with a small heat map.
#include "report/inspect_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medley/report.hpp"
#include "report/inspect.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"
#include "report/profiles.hpp"
#include "report/traits.hpp"

namespace medley::report {

// Profiles as text for a terminal, in columns that fit its width.

namespace {

constexpr std::size_t kNarrow = 8;       // characters of a percentage column
constexpr std::size_t kPopulation = 12;  // the same, with its longer heading
constexpr std::size_t kBar = 10;
constexpr std::size_t kShortest = 16;  // of a trait's name that is cut
constexpr std::size_t kRanking = 13;   // "probability" and the gap after it
constexpr std::size_t kNarrowest = 60, kWidestPage = 160;

/// Joins entries; if some hold blanks (such as titles), with commas, because they would run
/// together.
std::vector<std::string> separated(std::vector<std::string> words) {
  const bool blanks = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.find(' ') != std::string::npos;
  });
  for (std::size_t i = 0; blanks && i + 1 < words.size(); ++i) words[i] += ',';
  return words;
}

class Page {
 public:
  explicit Page(const InspectOptions& options)
      : width_(std::clamp(options.width, kNarrowest, kWidestPage)), colour_(options.colour) {}

  void add(const ProfileView& profile) {
    line("");
    line(strong(shortened(profile.title, width_ - 26)) + "   " + profile.size);
    for (const BlockView& block : profile.blocks) {
      if (profile.blocks.size() > 1) line("  " + shortened(block.name, width_ - 2) + ":");
      if (block.words.empty()) {
        add_traits(block);
      } else {
        add_words(block);
      }
    }
  }
  void line(const std::string& text) { out_ += text + "\n"; }
  void title(const std::string& text) { line("  " + shortened(text, width_ - 2)); }
  void paragraph(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(' ', begin), text.size());
      words.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    for (const std::string& piece : wrapped(words, width_)) line(piece);
  }
  [[nodiscard]] std::string text() && { return std::move(out_); }

 private:
  void add_traits(const BlockView& block) {
    // as wide as the longest trait, but the numbers and the bar must fit beside it
    std::size_t label = 24, here = kNarrow, population = kPopulation,
                difference = std::max(kNarrow, width_of(block.difference) + 2);
    for (const TraitLine& trait : block.traits) {
      label = std::max(label, width_of(trait.trait));
      here = std::max(here, width_of(trait.here) + 2);
      population = std::max(population, width_of(trait.population) + 2);
      difference = std::max(difference, width_of(trait.difference) + 2);
    }
    const std::size_t taken = 2 + here + population + difference + 2 + kBar;
    label = std::min(label, width_ > taken + kShortest ? width_ - taken : kShortest);
    if (!block.traits.empty()) {
      line(faint("  " + left(block.heading, label) + right("here", here) +
                 right("population", population) + right(block.difference, difference)));
    }
    for (const TraitLine& trait : block.traits) {
      line("  " + left(shortened(trait.trait, label), label) + right(trait.here, here) +
           right(trait.population, population) + right(trait.difference, difference) + "  " +
           bar(trait.share, kBar));
    }
    if (!block.rest.empty()) line(faint("  " + block.rest));
  }

  void add_words(const BlockView& block) {
    for (const WordLine& words : block.words) {
      std::string head = words.ranking;
      for (const std::string& piece : wrapped(separated(words.words), width_ - 2 - kRanking)) {
        line("  " + faint(left(head, kRanking)) + piece);
        head.clear();
      }
    }
  }

  [[nodiscard]] std::string strong(const std::string& text) const {
    return colour_ ? "\x1b[1m" + text + "\x1b[0m" : text;
  }
  [[nodiscard]] std::string faint(const std::string& text) const {
    return colour_ ? "\x1b[2m" + text + "\x1b[0m" : text;
  }

  std::size_t width_;
  bool colour_;
  std::string out_;
};

}  // namespace

std::string inspect_text(const Model& model, const InspectOptions& options) {
  Page page(options);
  page.paragraph(headline(model));
  const std::vector<ProfileView> profiles = profile_views(model, options.top);
  for (const ProfileView& profile : profiles) page.add(profile);
  const auto heat =
      heat_text(model.parts(), std::clamp(options.width, kNarrowest, kWidestPage), options.colour);
  if (!heat.empty()) page.line("");
  for (const std::string& line : heat) page.line(line);
  const std::vector<std::string> titles = column_titles(profiles);
  if (!titles.empty()) page.line("");
  for (const std::string& title : titles) page.title(title);
  page.line("");
  for (const std::string& line : legend(model)) page.paragraph(line);
  return std::move(page).text();
}

namespace {

constexpr std::size_t kLines = 16;
constexpr std::size_t kHeatCell = 4;   // characters of a cell, the gap after it included
constexpr std::size_t kHeatName = 34;  // of an answer, at most
constexpr double kMarked = 0.1;        // a difference to the population that gets a colour
constexpr double kMarkedMore = 0.35;   // and a stronger one

struct Answer {
  const model::ModelBlock* block;
  std::size_t feature, slot;
  double evidence;
};

/// For every feature the answer in which profiles differ most; the most informative features first.
std::vector<Answer> telling(const model::Parts& parts) {
  std::vector<Answer> out;
  for (const model::ModelBlock& block : parts.blocks) {
    if (block.shape.encoding != Encoding::levels) continue;
    const std::vector<double> evidence = feature_evidence(block, parts.sizes);
    for (std::size_t f = 0; f < evidence.size(); ++f) {
      // of two answers the second: "yes" rather than "no", which says the same
      std::size_t best = block.shape.first_slot[f + 1] - 1U;
      double widest = -1;
      for (std::size_t s = block.shape.first_slot[f]; s < block.shape.first_slot[f + 1]; ++s) {
        double low = 1, high = 0;
        for (std::size_t k = 0; k < parts.components(); ++k) {
          low = std::min(low, block.probability(s, k));
          high = std::max(high, block.probability(s, k));
        }
        if (high - low >= widest - 1e-9) best = s;
        widest = std::max(widest, high - low);
      }
      out.push_back({&block, f, best, evidence[f]});
    }
  }
  std::vector<std::size_t> order(out.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return out[a].evidence != out[b].evidence ? out[a].evidence > out[b].evidence : a < b;
  });
  std::vector<Answer> sorted;
  for (std::size_t i = 0; i < std::min(kLines, order.size()); ++i) sorted.push_back(out[order[i]]);
  return sorted;
}

std::string shade(double share) {
  static constexpr const char* kShades[] = {"·", "░", "▒", "▓", "█"};
  const char* one =
      kShades[std::min<std::size_t>(4, static_cast<std::size_t>(std::lround(share * 4)))];
  return fmt::format("{}{}{}", one, one, one);
}

std::string heat_cell(double share, double population, bool colour) {
  const std::string text = shade(share);
  const double off = share - population;
  if (!colour || std::abs(off) < kMarked) return text + ' ';
  const bool more = off > 0, much = std::abs(off) >= kMarkedMore;
  const int hue = more ? (much ? 208 : 215) : (much ? 33 : 75);  // of the 256 colours of a terminal
  return fmt::format("\x1b[38;5;{}m{}\x1b[0m ", hue, text);
}

}  // namespace

std::vector<std::string> heat_text(const model::Parts& parts, std::size_t width, bool colour) {
  const std::vector<Answer> answers = telling(parts);
  std::size_t name = 0;
  const auto label = [](const Answer& answer) {
    const Feature& feature = answer.block->shape.features[answer.feature];
    return printable(feature.name) + " = " +
           printable(
               label_of(feature, answer.slot - answer.block->shape.first_slot[answer.feature]));
  };
  for (const Answer& answer : answers) name = std::max(name, width_of(label(answer)));
  name = std::min(name, kHeatName);
  const std::size_t needed = 2 + name + 2 + kHeatCell * (parts.components() + 1);
  if (answers.empty() || parts.components() < 2 || needed > width) return {};
  std::string head = "  " + left("", name) + "  ";
  for (std::size_t k = 0; k < parts.components(); ++k)
    head += left(std::to_string(k + 1), kHeatCell);
  std::vector<std::string> out = {head + "all"};
  for (const Answer& answer : answers) {
    const double population = answer.block->population_share(answer.slot);
    std::string line = "  " + left(shortened(label(answer), name), name) + "  ";
    for (std::size_t k = 0; k < parts.components(); ++k)
      line += heat_cell(answer.block->probability(answer.slot, k), population, colour);
    out.push_back(line + shade(population));
  }
  out.emplace_back("  ··· below 13 %, ░░░ 25 %, ▒▒▒ 50 %, ▓▓▓ 75 %, ███ above 87 %" +
                   std::string(colour ? "; orange: more than all, blue: less" : ""));
  return out;
}

}  // namespace medley::report
