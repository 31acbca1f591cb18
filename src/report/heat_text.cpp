// SPDX-License-Identifier: Apache-2.0
#include "report/heat_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medley/report.hpp"
#include "report/labels.hpp"
#include "report/layout.hpp"
#include "report/traits.hpp"

namespace medley::report {
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

/// Of every feature the answer that profiles differ in most; the features that tell most first.
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
