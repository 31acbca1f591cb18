// SPDX-License-Identifier: Apache-2.0
#include "report/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "report/answers.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"
#include "report/words.hpp"

namespace medley::report {
namespace {

constexpr std::size_t kDefaultAnswers = 8;
constexpr std::size_t kDefaultWords = 10;

bool has(const model::Parts& parts, Encoding encoding) {
  return std::any_of(parts.blocks.begin(), parts.blocks.end(),
                     [&](const auto& block) { return block.shape.encoding == encoding; });
}

/// Models of words alone have topics, all others profiles.
std::string noun(const model::Parts& parts) {
  const bool only_words =
      std::all_of(parts.blocks.begin(), parts.blocks.end(),
                  [](const auto& block) { return block.shape.encoding == Encoding::tokens; });
  return only_words ? "Topic" : "Profile";
}

std::string title(const Model& model, std::size_t component) {
  const std::string& name = model.names()[component];
  if (name.empty()) return printable(model.title(component));
  return fmt::format("{} {} \"{}\"", noun(model.parts()), component + 1, printable(name));
}

std::string rest_of(const Answers& answers) {
  const auto are = [](std::size_t n) { return n == 1 ? "is" : "are"; };
  if (answers.shown.empty() && answers.differing == 0)
    return "all answers are about as in the population";
  std::string out;
  if (answers.differing > 0) {
    out = fmt::format("{} {} too", count(answers.differing, "more feature"),
                      answers.differing == 1 ? "differs" : "differ");
  }
  if (answers.alike > 0) {
    out += fmt::format("{}{} {} about as in the population", out.empty() ? "" : "; ",
                       count(answers.alike, out.empty() ? "other feature" : "feature"),
                       are(answers.alike));
  }
  return out;
}

void add_answers(const model::ModelBlock& block, const Answers& answers, BlockView& view) {
  for (const Answer& answer : answers.shown) {
    const Feature& feature = block.shape.features[answer.feature];
    const std::string& level =
        label_of(feature, answer.slot - block.shape.first_slot[answer.feature]);
    view.answers.push_back({printable(feature.name) + " = " + printable(level), answer.probability,
                            answer.population, answer.lift()});
  }
  view.rest = rest_of(answers);
}

void add_words(const model::ModelBlock& block, const TopWords& top, BlockView& view) {
  const auto names = [&](const std::vector<std::size_t>& slots) {
    std::vector<std::string> out;
    for (const std::size_t slot : slots)
      out.push_back(printable(block.shape.features[0].levels[slot]));
    return out;
  };
  view.words = {
      {"probability", names(top.probable)}, {"lift", names(top.lifted)}, {"FREX", names(top.frex)}};
  // In a small block no word may be frequent enough to be ranked by lift.
  std::erase_if(view.words, [](const WordLine& line) { return line.words.empty(); });
}

}  // namespace

std::vector<ProfileView> profile_views(const Model& model, std::size_t top) {
  const model::Parts& parts = model.parts();
  std::vector<ProfileView> views(parts.components());
  for (std::size_t k = 0; k < views.size(); ++k) {
    views[k].title = title(model, k);
    views[k].size = percent(parts.sizes[k]) + " of memberships";
  }
  for (const model::ModelBlock& block : parts.blocks) {
    if (block.shape.encoding == Encoding::real) continue;
    const bool words = block.shape.encoding == Encoding::tokens;
    const std::size_t entries = top > 0 ? top : words ? kDefaultWords : kDefaultAnswers;
    const std::unique_ptr<WordRanking> ranking =
        words ? std::make_unique<WordRanking>(block) : nullptr;
    for (std::size_t k = 0; k < views.size(); ++k) {
      BlockView& view = views[k].blocks.emplace_back();
      view.name = printable(block.shape.name);
      if (words) {
        add_words(block, ranking->of(k, parts.sizes[k], entries), view);
      } else {
        add_answers(block, distinctive_answers(block, k, parts.sizes[k], entries), view);
      }
    }
  }
  return views;
}

std::string headline(const Model& model) {
  const FitSummary& summary = model.summary();
  std::string things = noun(model.parts());
  things.front() = things.front() == 'T' ? 't' : 'p';
  std::string out = fmt::format("{}: {}, {} membership, {} inference; fitted to {}",
                                model.preset().empty() ? "model" : model.preset(),
                                count(model.components(), things), model.membership(),
                                model.inference(), count(summary.rows, "row"));
  if (summary.termination != Termination::converged) out += "; not converged";
  return printable(out);
}

std::vector<std::string> legend(const Model& model) {
  std::vector<std::string> lines;
  if (has(model.parts(), Encoding::levels)) {
    lines.emplace_back(
        "here: probability of the answer in the profile; population: its share in the training "
        "data; "
        "lift: here / population.");
  }
  if (has(model.parts(), Encoding::tokens)) {
    lines.emplace_back(
        "probability: the most frequent words; lift: most frequent relative to the whole corpus; "
        "FREX: both frequent in the topic and exclusive to it.");
  }
  return lines;
}

}  // namespace medley::report
