// SPDX-License-Identifier: Apache-2.0
#include "engines/build_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>

#include "core/task.hpp"
#include "math/dirichlet.hpp"
#include "math/special.hpp"
#include "medley/error.hpp"
#include "model/exact_rows.hpp"
#include "model/row_chain.hpp"

namespace medley::engines {
namespace {

// Sum of alpha above which rows hardly differ under the model.
constexpr double kLargeAlpha = 50;
// Below this two observations of a row have the same component 99 times in 100.
constexpr double kSmallAlpha = 0.01;
// Fewer rows that mix are one too many to tell from none: the prior of alpha imagines one.
constexpr double kFewMixing = 2;
// Of every row, for the likelihood after Monte-Carlo inference.
constexpr std::size_t kDraws = 200;

struct Scored {
  model::ScoredRows rows;
  bool exact = false;
  // Where `rows` are bounds, and it is quick to compute or was sampled.
  std::optional<model::SampledLikelihood> likelihood;
};

double weighted_sum(const Dataset& data, const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t row = 0; row < data.rows; ++row) sum += data.weight_of(row) * values[row];
  return sum;
}

// Of several ranks, none has all rows to say how long their likelihoods would take.
Scored score(const Dataset& data, const EmModel& best, const FitOptions& options, bool alone) {
  const std::size_t threads = options.threads;
  for (const auto& family : best.families) family->prepare(best.rows().pooled());
  const auto families = best.family_pointers();
  const model::EStepModel model{families, best.membership.get(), best.inference};
  Scored out{model::score_by_mode(model, data, threads), model::scores_exactly(model, data), {}};
  if (!best.membership->entry().dirichlet || out.exact || !alone) return out;
  const model::ExactCost cost = model::exact_cost(data, best.membership->components());
  if (cost.affordable(model::kQuickSteps)) {
    out.likelihood = {weighted_sum(data, model::exact_log_likelihoods(model, data, threads)), 0.0};
  } else if (best.inference->samples_likelihood) {
    out.likelihood = model::sampled_likelihood(model, data, kDraws, options.seed, threads);
  }
  return out;
}

}  // namespace

void count_rows(const Dataset& data, FitSummary& summary, core::Reducer& across) {
  Weighting weights = data.weighting();
  double observations = 0, empty = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double observed = data.observed(row);
    observations += data.weight_of(row) * observed;
    if (observed <= 0) ++empty;
  }
  double sums[] = {static_cast<double>(data.rows), empty, observations, weights.stands_for,
                   weights.cells};
  across.sum(sums);
  summary.rows += integer_of<std::size_t>(sums[0]);
  summary.empty_rows += integer_of<std::size_t>(sums[1]);
  summary.observations += sums[2];
  weights.stands_for = sums[3];
  weights.cells = sums[4];
  summary.weights = weights;
}

std::vector<double> mean_shares(const Dataset& data, const std::vector<double>& share,
                                std::size_t components, core::Reducer& across) {
  std::vector<double> sums(components + 1, 0.0);  // the last: of the weights
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (data.observed(row) <= 0) continue;
    const double weight = data.weight_of(row);
    sums[components] += weight;
    for (std::size_t k = 0; k < components; ++k) sums[k] += weight * share[row * components + k];
  }
  across.sum(sums);
  const double weight = sums.back();
  sums.pop_back();
  for (double& size : sums)
    size = weight > 0 ? size / weight : 1.0 / static_cast<double>(components);
  return sums;
}

Population population_of(const Dataset& data, std::size_t block, families::Smoothing smoothing,
                         core::Reducer& across) {
  Population out{model::fit_marginal(data, data.blocks[block], smoothing, across),
                 model::slot_totals(data, data.blocks[block])};
  across.sum(out.total);
  return out;
}

std::shared_ptr<model::Parts> assemble(const model::Resolved& resolved, const Dataset& like,
                                       EmModel model, std::vector<Population> populations) {
  const std::size_t components = model.membership->components();
  auto parts = std::make_shared<model::Parts>();
  parts->schema = resolved.schema;
  parts->options = resolved.options;
  parts->options.components = components;
  // Interrupted early, a membership that follows another one has not come to its turn.
  parts->options.membership = model.membership->entry().name;
  if (!model.membership->entry().located) {
    parts->options.rates.dimension.reset();
    parts->options.rates.sigma2.reset();
  }
  parts->names.resize(components);
  parts->sizes.assign(components, 1 / static_cast<double>(components));
  parts->membership = std::move(model.membership);
  parts->head = std::move(model.head);
  for (std::size_t b = 0; b < like.blocks.size(); ++b) {
    std::vector<double> strengths = model.families[b]->take_strengths();
    parts->blocks.push_back({like.blocks[b].shape(), std::move(model.families[b]),
                             std::move(populations[b].marginal), std::move(populations[b].total),
                             std::move(strengths)});
  }
  return parts;
}

void leave_unscored(model::Parts& parts) {
  parts.summary.bound = std::numeric_limits<double>::quiet_NaN();
  parts.summary.exact = false;
  parts.sizes = parts.membership->prior_moments().mean;
}

// Columns of a table are components, the rows of it those of the marginal.
void take_marginals(std::vector<model::ModelBlock>& blocks) {
  for (model::ModelBlock& block : blocks) {
    const auto one = block.marginal->parameters();
    const std::size_t width = block.family->padded(), narrow = block.marginal->padded();
    std::vector<double> table(block.family->parameters().begin(), block.family->parameters().end());
    for (std::size_t at = 0; at < table.size(); ++at) {
      if (at % width < block.family->components()) table[at] = one[at / width * narrow];
    }
    block.family->set_parameters(table);
  }
}

void order_by_size(model::Parts& parts) {
  std::vector<std::size_t> order(parts.sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return parts.sizes[a] != parts.sizes[b] ? parts.sizes[a] > parts.sizes[b] : a < b;
  });
  std::vector<double> sizes;
  for (const std::size_t k : order) sizes.push_back(parts.sizes[k]);
  parts.sizes = std::move(sizes);
  parts.membership->permute(order);
  if (parts.head) parts.head->permute(order);
  for (model::ModelBlock& block : parts.blocks) {
    block.family->permute(order);
    families::permute_columns(block.strengths, block.family->padded(), order);
  }
  if (parts.draws)
    parts.draws = std::make_shared<model::Draws>(model::reordered(*parts.draws, order));
}

void number_components(model::Parts& parts) {
  if (parts.options.init != "labels") order_by_size(parts);
}

namespace {

// The first few, and how many more there are.
std::string listed(const std::vector<std::size_t>& components) {
  constexpr std::size_t kNamed = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, components.size()); ++i)
    text += (text.empty() ? "" : ", ") + std::to_string(components[i] + 1);
  if (components.size() > kNamed)
    text += " and " + std::to_string(components.size() - kNamed) + " more";
  return text;
}

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// The share of rows of m observations in which not all have the same component,
//   1 - sum_k alpha_k (alpha_k + 1) .. (alpha_k + m - 1) / (alpha_0 (alpha_0 + 1) .. (alpha_0 + m -
//   1))
double mixing_share(std::span<const double> alpha, double sum, double m) {
  double same = 0;
  for (const double a : alpha)
    same += std::exp(math::log_gamma(a + m) - math::log_gamma(a) - math::log_gamma(sum + m) +
                     math::log_gamma(sum));
  return 1 - same;
}

void warn_of_alpha(const model::Parts& parts, double rows, std::vector<std::string>& warnings) {
  if (!parts.membership->entry().dirichlet || parts.components() < 2) return;
  const auto alpha = parts.membership->parameters();
  const double sum = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  const double m = rows > 0 ? parts.summary.observations / rows : 1.0;
  const bool imagined = parts.inference().rows == model::RowInference::lattice;
  const bool single =
      sum < kSmallAlpha || (imagined && m >= 2 && rows * mixing_share(alpha, sum, m) < kFewMixing);
  if (single && !parts.options.alpha.starts_with("fixed")) {
    warnings.push_back("memberships are all but single (alpha fell to a sum of " + rounded(sum) +
                       "): compare `membership=\"single\"`");
  }
  if (sum > kLargeAlpha) {
    warnings.push_back("alpha grew to a sum of " + rounded(sum) +
                       ": rows hardly differ in their mixture, so the components say little; try "
                       "`init=\"single\"`, more restarts or a smaller K");
  }
}

// Such a profile sits on values that are all but the same. A posterior has no floor.
void warn_of_floors(const model::Parts& parts, std::vector<std::string>& warnings) {
  constexpr std::size_t kNamed = 3;
  std::string named;
  std::size_t columns = 0;
  for (const model::ModelBlock& block : parts.blocks) {
    if (!block.strengths.empty() || parts.draws) continue;
    const families::VarianceFloors* floors = block.family->floors();
    if (floors == nullptr) continue;
    const std::vector<std::size_t> at_floor = floors->at_floor();
    for (std::size_t f = 0; f < at_floor.size(); ++f) {
      if (at_floor[f] == 0 || ++columns > kNamed) continue;
      named += (named.empty() ? "\"" : ", \"") + block.shape.features[f].name + "\" in " +
               std::to_string(at_floor[f]);
    }
  }
  if (columns == 0) return;
  if (columns > kNamed)
    named += ", in " + std::to_string(columns - kNamed) + " more columns in some";
  warnings.push_back(
      "variances stand at their floor, where profiles sit on values all but alike (" + named +
      " of " + std::to_string(parts.components()) +
      " profiles): compare another family (`column=\"NAME=FAMILY\"`), or a "
      "`variance_floor` below " +
      rounded(parts.options.variance_floor));
}

}  // namespace

void warn(const RunTrace& trace, model::Parts& parts) {
  auto& warnings = parts.summary.warnings;
  if (trace.fell)
    warnings.emplace_back(
        "the bound fell by more than rounding during the fit: the result may be unreliable");
  std::vector<std::size_t> small;
  const auto rows = static_cast<double>(parts.summary.rows - parts.summary.empty_rows);
  for (std::size_t k = 0; k < parts.components() && !std::isnan(parts.summary.bound); ++k) {
    if (parts.sizes[k] * rows < 1.0) small.push_back(k);
  }
  if (!small.empty())
    warnings.push_back((small.size() == 1 ? "component " : "components ") + listed(small) +
                       (small.size() == 1 ? " holds" : " each hold") +
                       " less than one row's worth of membership: try a smaller K");
  warn_of_alpha(parts, rows, warnings);
  warn_of_floors(parts, warnings);
}

namespace {

// Nothing if the fit was interrupted, or now is.
std::optional<Scored> score_unless_stopped(const Dataset& data, const EmModel& best,
                                           const FitOptions& options, const Finished& finished,
                                           bool alone) {
  if (finished.runs.back().termination == Termination::interrupted) return std::nullopt;
  try {
    return score(data, best, options, alone);
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

void summarise_scores(const Dataset& data, const Scored& scored, core::Reducer& across,
                      model::Parts& parts) {
  parts.summary.exact = scored.exact;
  if (scored.likelihood) {
    parts.summary.log_likelihood = scored.likelihood->log_likelihood;
    parts.summary.log_likelihood_error = scored.likelihood->standard_error;
  }
  parts.summary.bound = core::sum_of(across, weighted_sum(data, scored.rows.bound));
  parts.sizes = mean_shares(data, scored.rows.share, parts.components(), across);
}

}  // namespace

void summarise_runs(const Finished& finished, FitSummary& summary) {
  const RunTrace& trace = finished.runs[finished.best];
  for (const RunTrace& c : finished.runs)
    summary.restarts.push_back({c.bound, c.termination, c.tried});
  summary.termination = trace.termination;
  summary.iterations = trace.iterations();
  summary.best_restart = finished.best;
  summary.penalised_bound = trace.bound.empty() ? 0.0 : trace.bound.back();
  summary.training_bound = trace.training_bound;
}

std::shared_ptr<model::Parts> build_model(const Dataset& data, const model::Resolved& resolved,
                                          EmModel best, const Finished& finished,
                                          core::Reducer& across) {
  // Rows are scored by the means of the tables, as all later uses of the model are.
  std::vector<std::vector<double>> strengths;
  for (auto& family : best.families) strengths.push_back(family->take_strengths());
  const std::optional<Scored> scored =
      score_unless_stopped(data, best, resolved.options, finished, across.alone());
  const core::Unstoppable short_work;
  const families::Smoothing smoothing{resolved.options.smoothing.value_or(0),
                                      resolved.options.shrink.value_or(0)};
  std::vector<Population> populations;
  for (std::size_t b = 0; b < data.blocks.size(); ++b)
    populations.push_back(population_of(data, b, smoothing, across));
  std::vector<double> each = std::move(best.each);
  auto parts = assemble(resolved, data, std::move(best), std::move(populations));
  for (std::size_t b = 0; b < strengths.size(); ++b)
    parts->blocks[b].strengths = std::move(strengths[b]);
  FitSummary& summary = parts->summary;
  summarise_runs(finished, summary);
  summary.leave_one_out = resolved.inference->leave_one_out;
  summary.smoothing = std::move(each);
  summary.why_inference = resolved.why;
  count_rows(data, summary, across);
  if (scored) {
    summarise_scores(data, *scored, across, *parts);
  } else {
    summary.termination = Termination::interrupted;
    leave_unscored(*parts);
    if (finished.best_model.tensors.empty()) take_marginals(parts->blocks);
  }
  number_components(*parts);
  warn(finished.runs[finished.best], *parts);
  return parts;
}

}  // namespace medley::engines
