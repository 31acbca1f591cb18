// SPDX-License-Identifier: Apache-2.0
#include "core/text.hpp"
#include "medley/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/task.hpp"
#include "evaluate/estimators.hpp"
#include "math/chain_diagnostics.hpp"
#include "math/descriptive.hpp"
#include "medley/error.hpp"
#include "model/exact_rows.hpp"
#include "model/model.hpp"
#include "model/model_on_data.hpp"
#include "model/parameters.hpp"

namespace medley {
namespace {

// Two restarts whose bounds differ by less, relatively, have found the same optimum.
constexpr double kSameOptimum = 1e-4;
// A profile that holds less of all memberships is hardly there.
constexpr double kSmallProfile = 0.005;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

ChainQuantity follow(std::string name, const math::Chains& chains) {
  ChainQuantity out;
  out.name = std::move(name);
  std::vector<double> all;
  for (const auto& chain : chains) all.insert(all.end(), chain.begin(), chain.end());
  if (all.empty()) return out;
  const auto count = static_cast<double>(all.size());
  out.mean = std::accumulate(all.begin(), all.end(), 0.0) / count;
  double squares = 0;
  for (const double value : all) squares += (value - out.mean) * (value - out.mean);
  out.sd = count > 1 ? std::sqrt(squares / (count - 1)) : 0.0;
  std::ranges::sort(all);
  out.low = math::quantile(all, 0.05);
  out.high = math::quantile(all, 0.95);
  out.rhat = math::rhat(chains);
  out.ess_bulk = math::ess_bulk(chains);
  out.ess_tail = math::ess_tail(chains);
  out.mcse = math::mcse_mean(chains);
  return out;
}

// More parameters than this are not followed: those are that say most.
constexpr std::size_t kMostParameters = 2000;

// The parameters of the kept draws, chain by chain; none if draws differ in their components.
std::vector<ChainQuantity> parameters(const Model& model, const model::Draws& draws) {
  const bool aligned = std::ranges::all_of(
      draws.draw, [&](const model::Draw& draw) { return draw.components() == model.components(); });
  if (!aligned) return {};
  std::vector<model::NamedParameter> means = model::named_parameters(model);
  std::vector<std::size_t> followed(means.size());
  std::iota(followed.begin(), followed.end(), std::size_t{0});
  if (followed.size() > kMostParameters) {
    std::ranges::sort(
        followed, [&](std::size_t a, std::size_t b) { return means[a].value > means[b].value; });
    followed.resize(kMostParameters);
  }
  std::vector<math::Chains> values(followed.size(), math::Chains(draws.draw.back().chain + 1));
  for (std::size_t d = 0; d < draws.draw.size(); ++d) {
    const std::vector<double> drawn = model::parameter_values(model::draw_model(model, d));
    for (std::size_t i = 0; i < followed.size(); ++i)
      values[i][draws.draw[d].chain].push_back(drawn[followed[i]]);
  }
  std::vector<ChainQuantity> out;
  for (std::size_t i = 0; i < followed.size(); ++i) {
    const std::size_t shortest = std::ranges::min(values[i], {}, &std::vector<double>::size).size();
    for (std::vector<double>& chain : values[i]) chain.resize(shortest);
    out.push_back(follow(means[followed[i]].text(), values[i]));
  }
  std::ranges::sort(out, [](const ChainQuantity& a, const ChainQuantity& b) {
    return (std::isnan(a.rhat) ? 0 : a.rhat) > (std::isnan(b.rhat) ? 0 : b.rhat);
  });
  return out;
}

void judge_chains(Diagnosis& out) {
  double rhat = 1, effective = std::numeric_limits<double>::infinity();
  const ChainQuantity *worst_rhat = nullptr, *worst_effective = nullptr;
  for (const ChainQuantity& q : out.quantity) {
    if (std::isnan(q.rhat)) continue;
    if (q.rhat > rhat) worst_rhat = &q;
    rhat = std::max(rhat, q.rhat);
    const double least = std::min(q.ess_bulk, q.ess_tail);
    if (least < effective) worst_effective = &q;
    effective = std::min(effective, least);
  }
  if (out.chains < 2) {
    out.finding.push_back(
        {"There is one chain only: whether it has arrived cannot be told.", true});
    out.suggestion.push_back({"Sample with `chains=4`.", true});
  }
  out.mixed = out.chains > 1 && rhat < kMixedRhat && effective >= kMixedDraws;
  out.sound = out.sound && out.mixed;
  if (out.mixed) {
    out.finding.push_back(
        {"The chains have mixed: they agree on everything that was followed.", true});
    return;
  }
  // R-hat^2 - 1 and 1/ESS both shrink like 1/sweeps once chains move in the same region.
  const double by_rhat = (rhat * rhat - 1) / (kMixedRhat * kMixedRhat - 1);
  constexpr double kMostHundreds = 1e13;  // more is no advice
  const double times = std::max({1.5, by_rhat, kMixedDraws / std::max(effective, 1.0)});
  out.sweeps_needed =
      integer_of<std::size_t>(
          std::min(std::ceil(times * static_cast<double>(out.sweeps) / 100), kMostHundreds)) *
      100;
  const auto two = [](double value) { return std::to_string(value).substr(0, 4); };
  if (rhat >= kMixedRhat)
    out.finding.push_back({"Not mixed: chains disagree about " + worst_rhat->name + " (R-hat " +
                               two(rhat) + ", should be below 1.05).",
                           true, worst_rhat->about_row});
  if (effective < kMixedDraws)
    out.finding.push_back({"Too few effective draws: " + worst_effective->name + " has " +
                               std::to_string(std::lround(effective)) + ", should have 400.",
                           true, worst_effective->about_row});
  out.suggestion.push_back(
      {"Sample again with " + core::setting("sweeps", out.sweeps_needed) + " or more" +
           (rhat > 1.2 ? "; if chains still disagree there are several solutions: "
                         "try fewer components, or a stronger prior (`smoothing`)."
                       : "."),
       true});
}

void look_at_chains(const Model& model, Diagnosis& out) {
  const model::Draws& draws = *model.parts().draws;
  out.burn_in = draws.burn_in;
  out.sweeps = draws.sweeps;
  out.draws = draws.draw.size();
  out.chains = draws.draw.back().chain + 1;
  for (const model::Trace& trace : draws.trace) {
    out.quantity.push_back(follow(trace.name, trace.chain));
    out.quantity.back().about_row = trace.about_row;
    if (trace.name != model::kClusters) continue;
    double all = 0;
    for (const auto& chain : trace.chain) {
      for (const double k : chain) {
        out.clusters[static_cast<std::size_t>(std::lround(k))] += 1;
        all += 1;
      }
    }
    for (auto& [k, share] : out.clusters) share /= all;
  }
  out.parameter = parameters(model, draws);
  if (draws.deviance)
    out.conditional =
        InformationCriterion{draws.deviance->mean, draws.deviance->plug_in, kNoNumber};
  judge_chains(out);
}

void look_at_restarts(const FitSummary& summary, Diagnosis& out) {
  out.restarts = summary.restarts.size();
  if (summary.restarts.size() < 2) return;
  std::size_t same = 0;
  const double best = summary.restarts[summary.best_restart].bound.back();
  for (const RestartTrace& restart : summary.restarts)
    same += !restart.bound.empty() &&
                    std::abs(restart.bound.back() - best) < kSameOptimum * std::abs(best)
                ? 1
                : 0;
  out.same_optimum = same;
  out.finding.push_back({"Of " + std::to_string(summary.restarts.size()) + " restarts " +
                         std::to_string(same) + " found the same optimum."});
  if (same == 1) {
    out.sound = false;
    out.suggestion.push_back({"The best optimum was found once: try more `restarts`."});
  }
}

void look_at_fit(const Model& model, Diagnosis& out) {
  const FitSummary& summary = model.summary();
  if (summary.termination == Termination::iteration_limit) {
    out.sound = false;
    out.finding.push_back(
        {"Not converged after " + std::to_string(summary.iterations) + " iterations."});
    out.suggestion.push_back({"Fit again with a larger `max_iterations`."});
  } else if (summary.termination == Termination::converged) {
    out.finding.push_back(
        {"Converged after " + std::to_string(summary.iterations) + " iterations."});
  }
  look_at_restarts(summary, out);
  std::size_t small = 0;
  for (const double size : model.sizes()) small += size < kSmallProfile ? 1 : 0;
  out.small_profiles = small;
  // Where their number is found there are always some, and nothing is to be done.
  if (small > 0 && !model.parts().membership->entry().infers_k) {
    out.sound = false;
    out.finding.push_back({std::to_string(small) + " of " + std::to_string(model.components()) +
                           " profiles hold less than 0.5 % of all memberships."});
    out.suggestion.push_back({"Try a smaller `k`."});
  }
  if (summary.empty_rows > 0)
    out.finding.push_back({"Rows with nothing observed, which get the average: " +
                           std::to_string(summary.empty_rows) + "."});
  for (const std::string& warning : summary.warnings) {
    out.sound = false;
    out.finding.push_back({"Warning: " + warning + "."});
  }
}

// D = -2 sum_i log p(x_i | parameters), at every draw and at the posterior means.
InformationCriterion marginal_dic(const Model& model, const Dataset& data, std::size_t threads) {
  const model::ModelOnData on_data(model, data);
  EvaluateOptions options;
  options.threads = threads;
  const auto deviance = [&](const model::ModelOnData& one) {
    const bool exact =
        one.exact(data) ||
        model::exact_cost(data, one.parts().components()).affordable(model::kQuickSteps);
    const evaluation::Estimates rows = evaluation::estimate_rows(
        one, data, exact ? Estimator::exact : Estimator::importance, options);
    double sum = 0;
    for (std::size_t row = 0; row < data.rows; ++row)
      sum -= 2 * data.weight_of(row) * rows.row[row].log_likelihood;
    return sum;
  };
  std::vector<double> each;
  for (const std::size_t draw : on_data.draws())
    each.push_back(deviance(on_data.at_draw(draw, data)));
  InformationCriterion out;
  const auto count = static_cast<double>(each.size());
  for (const double d : each) out.mean_deviance += d / count;
  double squares = 0;
  for (const double d : each) squares += (d - out.mean_deviance) * (d - out.mean_deviance);
  out.error = count > 1 ? std::sqrt(squares / (count - 1) / count) : 0.0;
  auto means = model.parts().clone();
  means->draws.reset();
  out.plug_in = deviance(model::ModelOnData(Model(means), data));
  return out;
}

}  // namespace

Diagnosis diagnose(const Model& model) {
  Diagnosis out;
  look_at_fit(model, out);
  if (model.parts().draws) look_at_chains(model, out);
  return out;
}

Diagnosis diagnose(const Model& model, const Dataset& data, std::size_t threads,
                   const Hooks& hooks) {
  const core::Task task(hooks);
  model::check_rows(model, data);
  Diagnosis out = diagnose(model);
  if (model.parts().draws) out.marginal = marginal_dic(model, data, threads);
  return out;
}

}  // namespace medley
