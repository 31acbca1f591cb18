// SPDX-License-Identifier: Apache-2.0
#include "core/text.hpp"
#include "medley/uncertainty.hpp"

#include <memory>
#include <utility>

#include "core/parallel.hpp"
#include "core/problems.hpp"
#include "core/task.hpp"
#include "medley/error.hpp"
#include "model/resolve.hpp"
#include "samplers/sample_dp.hpp"
#include "samplers/sample_gom.hpp"
#include "samplers/sampled.hpp"
#include "samplers/selftest_checks.hpp"
#include "samplers/selftest_models.hpp"

namespace medley {
namespace {

using namespace samplers;

constexpr std::size_t kFewestChains = 20, kFewestFits = 80, kMostRows = 10000;
constexpr std::size_t kForwardPerChain = 80;

void check_selftest(const Dataset& data, const model::Resolved& resolved,
                    const SelfTestOptions& options) {
  core::Problems problems;
  if (!resolved.inference->draws)
    problems.add(core::setting("model", resolved.options.model),
                 "is not sampled: there is no sampler to test",
                 "use `model=\"gom-bayes\"` or `model=\"dp-mixture\"`");
  if (options.rows == 0 || options.rows > kMostRows)
    problems.add("`rows`", "is " + std::to_string(options.rows),
                 "give 1 to " + std::to_string(kMostRows));
  const std::size_t fewest = options.kind == SelfTestKind::sbc ? kFewestFits : kFewestChains;
  if (options.replicates > 0 && options.replicates < fewest)
    problems.add("`replicates`", "is " + std::to_string(options.replicates),
                 "give " + std::to_string(fewest) + " or more: fewer tell nothing");
  if (!data::whole_weights(data))
    problems.add("block weights", "cells that count a fraction cannot be sampled",
                 "leave the block weights out");
  double observed = 0;
  for (std::size_t row = 0; row < data.rows; ++row) observed += data.observed(row);
  if (!(observed > 0)) problems.add("data", "nothing is observed");
  problems.throw_if_any();
}

MakeJoint maker(const Stage& stage, const Dataset& data, const model::Resolved& resolved) {
  if (resolved.membership->infers_k)
    return [&stage, options = dp_options(data, resolved)] {
      return std::make_unique<DpJoint>(stage, options);
    };
  return [&stage, options = gom_options(data, resolved)] {
    return std::make_unique<GomJoint>(stage, options);
  };
}

// Fills in the rows; false: it was stopped.
bool compare(const MakeJoint& make, const FitOptions& fitting, const Hooks& hooks, SelfTest& out) {
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

void test_sampler(const Dataset& data, const FitOptions& fitting, const SelfTestOptions& options,
                  const Hooks& hooks, SelfTest& out) {
  const model::Resolved resolved = model::resolve(data, fitting);
  check_selftest(data, resolved, options);
  const Stage stage(data, block_priors(data, resolved.options.smoothing.value()), options.rows,
                    fitting.seed);
  out.kind = options.kind;
  out.model = resolved.options.model;
  out.rows = stage.rows();
  out.cells = stage.observations();
  out.replicates = options.replicates;
  out.interrupted = !compare(maker(stage, data, resolved), resolved.options, hooks, out);
  if (!out.interrupted) judge(out);
}

}  // namespace

SelfTest selftest(const Dataset& data, const FitOptions& fitting, const SelfTestOptions& options,
                  const Hooks& hooks) {
  const core::Task task(hooks.stop);
  SelfTest out;
  try {
    test_sampler(data, fitting, options, hooks, out);
  } catch (const Interrupted&) {
    out.interrupted = true;
  }
  return out;
}

}  // namespace medley
