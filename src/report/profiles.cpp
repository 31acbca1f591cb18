// SPDX-License-Identifier: Apache-2.0
#include "report/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/fit_words.hpp"
#include "report/intervals.hpp"
#include "report/numbers.hpp"
#include "report/traits.hpp"
#include "report/words.hpp"

namespace medley::report {
namespace {

constexpr std::size_t kDefaultTraits = 8;
constexpr std::size_t kDefaultWords = 10;

bool has(const model::Parts& parts, Encoding encoding) {
  return std::any_of(parts.blocks.begin(), parts.blocks.end(),
                     [&](const auto& block) { return block.shape.encoding == encoding; });
}

/// Models with only words have topics, all others profiles.
std::string noun(const model::Parts& parts) {
  const bool only_words =
      std::all_of(parts.blocks.begin(), parts.blocks.end(),
                  [](const auto& block) { return block.shape.encoding == Encoding::tokens; });
  return only_words ? "Topic" : "Profile";
}

std::string profile_title(const Model& model, std::size_t component) {
  const std::string& name = model.names()[component];
  if (name.empty()) return printable(model.title(component));
  return fmt::format("{} {} \"{}\"", noun(model.parts()), component + 1, printable(name));
}

/// The classes of rows that belong to this component alone: "; 97 % democrat, 3 % republican". At
/// most three classes, each with at least a twentieth; empty without a label.
std::string classes_of(const model::Parts& parts, std::size_t component) {
  if (!parts.head) return "";
  constexpr std::size_t kMost = 3;
  constexpr double kLeast = 0.05;
  std::vector<std::pair<double, std::size_t>> shares;
  for (std::size_t h = 0; h < parts.head->classes(); ++h)
    shares.emplace_back(std::exp(parts.head->log_probability()[h * parts.components() + component]),
                        h);
  std::ranges::sort(shares, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::string out;
  for (std::size_t i = 0; i < std::min(kMost, shares.size()) && shares[i].first >= kLeast; ++i)
    out += fmt::format("{}{} {}", out.empty() ? "; " : ", ", percent(shares[i].first),
                       printable(parts.schema.label()->levels[shares[i].second]));
  return out;
}

std::string rest_of(const Traits& traits) {
  const auto are = [](std::size_t n) { return n == 1 ? "is" : "are"; };
  if (traits.shown.empty() && traits.differing == 0)
    return "everything is about as in the population";
  std::string out;
  if (traits.differing > 0) {
    out = fmt::format("{} {} too", count(traits.differing, "more feature"),
                      traits.differing == 1 ? "differs" : "differ");
  }
  if (traits.alike > 0) {
    out += fmt::format("{}{} {} about as in the population", out.empty() ? "" : "; ",
                       count(traits.alike, out.empty() ? "other feature" : "feature"),
                       are(traits.alike));
  }
  return out;
}

TraitLine answer_line(const Trait& trait) {
  const Block& shape = trait.block->shape;
  const Feature& feature = shape.features[trait.feature];
  const std::string& level = label_of(feature, trait.slot - shape.first_slot[trait.feature]);
  return {printable(feature.name) + " = " + printable(level),
          percent(trait.probability),
          percent(trait.population),
          ratio(trait.lift()),
          trait.probability,
          printable(feature.name),
          printable(feature.title)};
}

// A standardised number is shown in standard deviations from the mean of the population.
TraitLine number_line(const Trait& trait, bool standardise) {
  const double sd = std::sqrt(trait.here.variance), overall = std::sqrt(trait.overall.variance);
  const Feature& feature = trait.block->shape.features[trait.feature];
  return {printable(feature.name),
          standardise ? measured(trait.distance(), sd / overall) + " sd"
                      : measured(trait.here.mean, sd),
          measured(trait.overall.mean, overall),
          fmt::format("{:+.1f} sd", trait.distance()),
          trait.block->marginal->numbers()->cumulative(trait.feature, 0, trait.here.mean),
          printable(feature.name),
          printable(feature.title)};
}

// Merges the blocks of levels and numbers of one table into one list, because readers think in
// columns, not families. The blocks of a table with several families are called SOURCE.FAMILY.
std::string source_of(const Block& shape) {
  const std::string ending = '.' + shape.family;
  return shape.name.ends_with(ending) ? shape.name.substr(0, shape.name.size() - ending.size())
                                      : shape.name;
}

struct TraitGroup {
  std::string source;
  std::vector<const model::ModelBlock*> blocks;
};

std::vector<TraitGroup> trait_groups(const model::Parts& parts) {
  std::vector<TraitGroup> groups;
  for (const model::ModelBlock& block : parts.blocks) {
    if (block.shape.encoding == Encoding::tokens) continue;
    const std::string source = source_of(block.shape);
    auto group = std::ranges::find(groups, source, &TraitGroup::source);
    if (group == groups.end()) group = groups.insert(groups.end(), {source, {}});
    group->blocks.push_back(&block);
  }
  return groups;
}

// " (58 to 66 %)", or nothing.
std::string interval_of(const Trait& trait, const Intervals& intervals, const Model& model,
                        std::size_t profile) {
  const auto block = static_cast<std::size_t>(trait.block - model.parts().blocks.data());
  const auto found = trait.is_number() ? intervals.of_mean(block, trait.feature, profile)
                                       : intervals.of_slot(block, trait.slot, profile);
  if (!found) return "";
  if (!trait.is_number())
    return fmt::format(" ({:.0f} to {:.0f} %)", 100 * found->low, 100 * found->high);
  if (model.schema().standardise) return "";
  return fmt::format(" (mean {})", measured_range(found->low, found->high));
}

void add_traits(const TraitGroup& group, const Model& model, std::size_t top,
                const Intervals& intervals, std::vector<ProfileView>& views) {
  for (std::size_t k = 0; k < views.size(); ++k) {
    const Traits traits = distinctive_traits(group.blocks, k, model.sizes()[k], top);
    BlockView& view = views[k].blocks.emplace_back();
    view.name = printable(group.source);
    if (std::ranges::any_of(group.blocks, [](const model::ModelBlock* block) {
          return block->shape.encoding == Encoding::real;
        })) {
      view.heading = "trait";
      view.difference = "difference";
    }
    for (const Trait& trait : traits.shown) {
      view.traits.push_back(trait.is_number() ? number_line(trait, model.schema().standardise)
                                              : answer_line(trait));
      view.traits.back().here += interval_of(trait, intervals, model, k);
    }
    view.rest = rest_of(traits);
  }
}

// Occurrences in the profile times the divergence of its table from the population's.
double words_evidence(const model::ModelBlock& block, std::size_t k, double size) {
  double all = 0, divergence = 0;
  for (const double total : block.total) all += total;
  for (std::size_t s = 0; s < block.shape.slots(); ++s) {
    const double p = block.probability(s, k), q = all > 0 ? block.total[s] / all : 0;
    if (p > 0 && q > 0) divergence += p * std::log(p / q);
  }
  return all * size * std::max(0.0, divergence);
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
    views[k].title = profile_title(model, k);
    views[k].size = percent(parts.sizes[k]) + " of memberships" + classes_of(parts, k);
  }
  const Intervals intervals(model);
  for (const TraitGroup& group : trait_groups(parts)) {
    add_traits(group, model, top > 0 ? top : kDefaultTraits, intervals, views);
  }
  const bool several = std::ranges::count_if(parts.blocks, [](const model::ModelBlock& block) {
                         return block.shape.encoding == Encoding::tokens;
                       }) > 1;
  for (const model::ModelBlock& block : parts.blocks) {
    if (block.shape.encoding != Encoding::tokens) continue;
    const WordRanking ranking(block);
    for (std::size_t k = 0; k < views.size(); ++k) {
      BlockView& view = views[k].blocks.emplace_back();
      view.name = printable(block.shape.name);
      add_words(block, ranking.of(k, parts.sizes[k], top > 0 ? top : kDefaultWords), view);
      if (several) view.evidence = words_evidence(block, k, parts.sizes[k]);
    }
  }
  return views;
}

std::vector<std::string> column_titles(const std::vector<ProfileView>& profiles) {
  std::vector<std::string> out;
  std::set<std::string> told;
  for (const ProfileView& profile : profiles) {
    for (const BlockView& block : profile.blocks) {
      for (const TraitLine& line : block.traits) {
        if (!line.title.empty() && told.insert(block.name + '\n' + line.column).second)
          out.push_back(line.column + ": " + line.title);
      }
    }
  }
  return out;
}

std::string headline(const Model& model) {
  const FitSummary& summary = model.summary();
  std::string things = noun(model.parts());
  things.front() = things.front() == 'T' ? 't' : 'p';
  std::string out = fmt::format("{}: {}, {} membership, {} inference; fitted to {}",
                                model.preset().empty() ? "model" : model.preset(),
                                count(model.components(), things), model.membership(),
                                model.inference(), count(summary.rows, "row"));
  if (summary.weights.used()) out += fmt::format(", weighted by \"{}\"", summary.weights.column);
  if (summary.termination == Termination::iteration_limit ||
      summary.termination == Termination::interrupted)
    out += "; not converged";
  return printable(out);
}

std::vector<std::string> legend(const Model& model) {
  std::vector<std::string> lines;
  if (const Weighting& weights = model.summary().weights; weights.used())
    lines.push_back(weights_sentence(weights, model.summary().rows));
  if (const auto& draws = model.parts().draws) {
    lines.push_back(fmt::format(
        "Posterior means of {}; in brackets what 90 % of them lie between. `diagnose()` tells "
        "whether the chains agree.",
        count(draws->draw.size(), "draw")));
  }
  if (has(model.parts(), Encoding::levels)) {
    lines.push_back(
        fmt::format("here: probability of the answer in the profile; population: its share in the "
                    "training data; {}: here / population.",
                    has(model.parts(), Encoding::real) ? "difference" : "lift"));
  }
  if (has(model.parts(), Encoding::real)) {
    lines.emplace_back(model.schema().standardise
                           ? "For numbers: mean and standard deviation, in standard deviations of "
                             "the training data from its mean."
                           : "For numbers: mean ± standard deviation, here and in the training "
                             "data; the difference of the means in standard deviations.");
  }
  if (has(model.parts(), Encoding::tokens)) {
    lines.emplace_back(
        "probability: the most frequent words; lift: most frequent relative to the whole corpus; "
        "FREX: both frequent in the topic and exclusive to it.");
  }
  return lines;
}

}  // namespace medley::report
