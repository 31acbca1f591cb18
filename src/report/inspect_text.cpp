// SPDX-License-Identifier: Apache-2.0
// Profiles as text for a terminal, in columns that fit its width.
#include <fmt/format.h>

#include <algorithm>

#include "report/formats.hpp"
#include "report/heat_text.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"
#include "report/profiles.hpp"

namespace medley::report {
namespace {

constexpr std::size_t kNarrow = 8;       // characters of a percentage column
constexpr std::size_t kPopulation = 12;  // the same, with its longer heading
constexpr std::size_t kBar = 10;
constexpr std::size_t kShortest = 16;  // of a trait's name that is cut
constexpr std::size_t kRanking = 13;   // "probability" and the gap after it
constexpr std::size_t kNarrowest = 60, kWidestPage = 160;

/// Entries that hold blanks (titles, say) would run into one another: then with commas between.
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

}  // namespace medley::report
