// SPDX-License-Identifier: Apache-2.0
#include "choose/fit_scores.hpp"

#include <algorithm>
#include <cmath>

#include "choose/paired.hpp"
#include "evaluate/patterns.hpp"
#include "evaluate/topic_quality.hpp"
#include "families/family.hpp"
#include "heads/softmax.hpp"
#include "memberships/membership.hpp"
#include "model/model_on_data.hpp"

namespace medley::choose {
namespace {

std::size_t of_prior(const model::Parts& parts) {
  const std::size_t components = parts.components();
  if (components == 1) return 0;
  const memberships::MembershipEntry& entry = parts.membership->entry();
  if (entry.sole) return components - 1;
  if (!entry.dirichlet) return parts.membership->parameters().size();
  if (parts.options.alpha == "symmetric") return 1;
  return parts.options.alpha.starts_with("fixed") ? 0 : components;
}

// Of one component. Lists of words may be long: where the slots tell, the family is not asked.
std::size_t of_block(const model::ModelBlock& block) {
  if (block.shape.encoding != Encoding::real)
    return block.shape.slots() - block.shape.features.size();
  std::size_t out = 0;
  for (std::size_t f = 0; f < block.shape.features.size(); ++f) {
    for (const families::ExportField& field : block.family->entry().fields(*block.family, f))
      out += field.common ? 0 : 1;
  }
  return out;
}

}  // namespace

std::size_t count_parameters(const model::Parts& parts) {
  std::size_t out = of_prior(parts);
  for (const model::ModelBlock& block : parts.blocks) out += parts.components() * of_block(block);
  if (parts.head) out += (parts.head->classes() - 1) * parts.components();
  return out;
}

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
