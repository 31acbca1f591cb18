// SPDX-License-Identifier: Apache-2.0
// The complete tables as CSV: one line per block, feature, level and component; a number has no
// level but means and standard deviations.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include "model/model.hpp"
#include "report/escapes.hpp"
#include "report/formats.hpp"
#include "report/intervals.hpp"
#include "report/labels.hpp"

namespace medley::report {
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
