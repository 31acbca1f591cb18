// SPDX-License-Identifier: Apache-2.0
#include "medley/selftest.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/parallel.hpp"
#include "core/problems.hpp"
#include "model/resolve.hpp"
#include "samplers/sampled.hpp"
#include "samplers/selftest_dp.hpp"
#include "samplers/selftest_geweke.hpp"
#include "samplers/selftest_gom.hpp"
#include "samplers/selftest_sbc.hpp"

namespace medley {
namespace {

using namespace samplers;

constexpr double kFamilyWise = 0.01;
constexpr std::size_t kFewestChains = 20, kFewestFits = 80, kMostRows = 10000;
constexpr std::size_t kForwardPerChain = 80;
constexpr double kSlow = 0.05;  // share of fits from which on it is said

GomOptions gom_options(const model::Resolved& resolved) {
  const FitOptions& o = resolved.options;
  GomOptions out;
  out.components = o.components;
  out.alpha_prior = {o.chains.alpha_shape, o.chains.alpha_rate};
  if (resolved.alpha == AlphaMode::fixed) out.alpha.assign(o.components, resolved.alpha_start);
  return out;
}

DpOptions dp_options(const FitOptions& o) {
  DpOptions out;
  out.concentration = o.chains.concentration;
  if (o.chains.concentration_shape > 0)
    out.concentration_prior = {o.chains.concentration_shape, o.chains.concentration_rate};
  return out;
}

void check(const Dataset& data, const model::Resolved& resolved, const SelfTestOptions& options) {
  core::Problems problems;
  if (!resolved.mode->draws)
    problems.add("--model " + resolved.options.model, "is not sampled: there is no sampler to test",
                 "use --model gom-bayes or --model dp-mixture");
  if (options.rows == 0 || options.rows > kMostRows)
    problems.add("--rows", "is " + std::to_string(options.rows),
                 "give 1 to " + std::to_string(kMostRows));
  const std::size_t fewest = options.kind == SelfTestKind::sbc ? kFewestFits : kFewestChains;
  if (options.replicates > 0 && options.replicates < fewest)
    problems.add("--replicates", "is " + std::to_string(options.replicates),
                 "give " + std::to_string(fewest) + " or more: fewer tell nothing");
  if (!data::whole_weights(data))
    problems.add("block weights", "cells that count a fraction cannot be sampled",
                 "leave the block weights out");
  double observed = 0;
  for (std::size_t row = 0; row < data.rows; ++row) observed += data.observed(row);
  if (!(observed > 0)) problems.add("data", "nothing is observed");
  problems.throw_if_any();
}

MakeJoint maker(const Stage& stage, const model::Resolved& resolved) {
  if (resolved.membership->open)
    return [&stage, options = dp_options(resolved.options)] {
      return std::make_unique<DpJoint>(stage, options);
    };
  return [&stage, options = gom_options(resolved)] {
    return std::make_unique<GomJoint>(stage, options);
  };
}

// Fills in the rows; false: it was stopped.
bool compare(const MakeJoint& make, const FitOptions& fitting, const FitHooks& hooks,
             SelfTest& out) {
  if (out.kind == SelfTestKind::geweke) {
    GewekePlan plan;
    if (out.replicates > 0) plan.chains = out.replicates;
    plan.seed = fitting.seed;
    plan.threads = core::thread_count(fitting.threads);
    plan.forward = kForwardPerChain * plan.chains;
    out.replicates = plan.chains;
    auto rows = geweke(make, plan, hooks);
    if (!rows) return false;
    out.row = std::move(*rows);
    return true;
  }
  SbcPlan plan;
  if (out.replicates > 0) plan.fits = out.replicates;
  plan.seed = fitting.seed;
  plan.threads = core::thread_count(fitting.threads);
  out.replicates = plan.fits;
  auto result = sbc(make, plan, hooks);
  if (!result) return false;
  out.row = std::move(result->row);
  out.slow = result->slow;
  return true;
}

void judge(SelfTest& out) {
  out.least_p = kFamilyWise / static_cast<double>(std::max<std::size_t>(1, out.row.size()));
  std::string failed;
  for (SelfTestRow& row : out.row) {
    row.passed = row.p >= out.least_p;
    if (!row.passed) failed += (failed.empty() ? "" : ", ") + row.name;
  }
  out.passed = failed.empty();
  const bool sbc = out.kind == SelfTestKind::sbc;
  const std::string numbers = std::to_string(out.row.size()) + " numbers";
  if (out.passed) {
    out.sentence.push_back("The sampler passes: " + numbers +
                           (sbc ? " of the truth are ranked among its draws as they should be."
                                : " have the same mean from the priors and by turns."));
  } else {
    out.sentence.push_back("The sampler FAILS: " + failed + (sbc ? " not ranked" : " not") +
                           " as it should be. A right sampler fails once in a hundred seeds: try "
                           "--seed 2 and, if it fails again, please report it.");
  }
  if (static_cast<double>(out.slow) > kSlow * static_cast<double>(out.replicates))
    out.sentence.push_back(
        "In " + std::to_string(out.slow) + " of " + std::to_string(out.replicates) +
        " fits the draws still depended on each other, which spoils ranks: a failure here may be "
        "slow mixing and no mistake. `selftest geweke` does not mind; or try fewer --rows.");
}

}  // namespace

SelfTest selftest(const Dataset& data, const FitOptions& fitting, const SelfTestOptions& options,
                  const FitHooks& hooks) {
  const model::Resolved resolved = model::resolve(data, fitting);
  check(data, resolved, options);
  const Stage stage(data, block_priors(data, resolved.options.smoothing), options.rows,
                    fitting.seed);
  SelfTest out;
  out.kind = options.kind;
  out.model = resolved.options.model;
  out.rows = stage.rows();
  out.cells = stage.observations();
  out.replicates = options.replicates;
  out.interrupted = !compare(maker(stage, resolved), resolved.options, hooks, out);
  if (!out.interrupted) judge(out);
  return out;
}

}  // namespace medley
