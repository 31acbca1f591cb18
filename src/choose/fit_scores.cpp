// SPDX-License-Identifier: Apache-2.0
#include "choose/fit_scores.hpp"

#include <algorithm>
#include <cmath>

#include "choose/held_out.hpp"
#include "evaluate/patterns.hpp"
#include "evaluate/topic_quality.hpp"
#include "model/model_on_data.hpp"

namespace medley::choose {

RowScores row_scores(const Model& model, const Dataset& data, const std::string& estimator,
                     std::size_t threads) {
  EvaluateOptions options;
  options.estimator = estimator;
  options.each_block = false;
  options.threads = threads;
  const Evaluation found = evaluate(model, data, options);
  RowScores out{to_string(found.estimator), {}};
  for (const RowScore& row : found.row) out.value.push_back(row.log_likelihood);
  return out;
}

PatternFit add_pattern_scores(const Model& model, const Dataset& data, double least_count,
                              std::size_t threads, std::vector<SelectionScore>& out) {
  AbsoluteFitOptions options;
  options.least_count = least_count;
  options.threads = threads;
  PatternFit fit = evaluation::pattern_fit(model::ModelOnData(model, data), data, options);
  if (fit.pattern.empty()) return fit;
  // d r / d E = -(O + E) / (2 E^1.5)
  double squares = 0, absolute = 0;
  for (const AnswerPattern& p : fit.pattern) {
    const double slope =
        (p.observed + p.expected) / (2 * std::pow(std::max(p.expected, 1e-300), 1.5));
    const double off = slope * p.expected_error;
    squares += 4 * p.residual * p.residual * off * off;
    absolute += off * off;
  }
  const auto m = static_cast<double>(fit.pattern.size());
  const double spread = 2 * m + 4 * std::max(0.0, fit.sum_squares - m);
  const std::string how = to_string(fit.estimator);
  out.push_back({"pearson-squares", "", how, fit.sum_squares, std::sqrt(spread + squares)});
  out.push_back({"pearson-absolute", "", how, fit.sum_absolute, std::sqrt(m + absolute)});
  return fit;
}

void add_topic_scores(const Model& model, const Dataset& data, bool coherence, bool exclusivity,
                      std::vector<SelectionScore>& out) {
  constexpr std::size_t kTop = 10;
  const model::ModelOnData on_data(model, data);
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    if (data.blocks[b].encoding != Encoding::tokens) continue;
    const TopicTable table =
        evaluation::topic_quality(on_data.parts().blocks[b], data.blocks[b], data.row_weight, kTop);
    std::vector<double> npmi, exclusive;
    for (const TopicScores& topic : table.topic) {
      if (topic.pairs > 0) npmi.push_back(topic.npmi);
      exclusive.push_back(topic.exclusivity);
    }
    const auto add = [&](const char* criterion, const char* how, const std::vector<double>& of) {
      const MeanError found = mean_error(of);
      out.push_back({criterion, data.blocks[b].name, how, found.mean, found.error});
    };
    if (coherence) add("coherence", "npmi", npmi);
    if (exclusivity) add("exclusivity", "top words", exclusive);
  }
}

}  // namespace medley::choose
