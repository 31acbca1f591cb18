// SPDX-License-Identifier: Apache-2.0
#include "engines/run_trace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace medley::engines {
namespace {

double growth(double before, double after) {
  return (after - before) / std::max(1.0, std::abs(before));
}

}  // namespace

double RunTrace::change() const {
  if (bound.size() < 2) return std::numeric_limits<double>::infinity();
  return growth(bound[bound.size() - 2], bound.back());
}

double RunTrace::iterations_left(double tolerance) const {
  constexpr std::size_t kBack = 10;  // the decline is judged over this many iterations
  if (bound.size() < kBack + 2) return -1;
  const std::size_t last = bound.size() - 1;
  const double now = growth(bound[last - 1], bound[last]);
  const double then = growth(bound[last - kBack - 1], bound[last - kBack]);
  if (!(now > 0) || !(then > now)) return -1;
  const double rate = std::log(now / then) / static_cast<double>(kBack);
  return std::max(0.0, std::log(tolerance / now) / rate);
}

void RunTrace::save(core::TensorFile& file, const std::string& prefix) const {
  file.put(prefix + "bound", bound);
  file.put(prefix + "flags",
           std::vector<std::int64_t>{static_cast<std::int64_t>(quiet), fell ? 1 : 0,
                                     static_cast<std::int64_t>(termination)});
  std::vector<std::string> names;
  std::vector<double> tried_bound;
  std::vector<std::int64_t> iterations;
  for (const TriedStart& start : tried) {
    names.push_back(start.name);
    tried_bound.push_back(start.bound);
    iterations.push_back(static_cast<std::int64_t>(start.iterations));
  }
  file.put(prefix + "training_bound",
           training_bound ? std::vector{*training_bound} : std::vector<double>());
  file.put_strings(prefix + "tried", names);
  file.put(prefix + "tried.bound", tried_bound);
  file.put(prefix + "tried.iterations", iterations);
}

void RunTrace::restore(const core::TensorFile& file, const std::string& prefix) {
  bound = file.doubles(prefix + "bound");
  const auto& flags = file.integers(prefix + "flags", 3);
  quiet = static_cast<std::size_t>(std::max<std::int64_t>(0, flags[0]));
  fell = flags[1] != 0;
  termination = static_cast<Termination>(std::clamp<std::int64_t>(flags[2], 0, 3));
  const auto& training = file.doubles(prefix + "training_bound");
  if (!training.empty()) training_bound = training[0];
  tried.clear();
  const auto names = file.strings(prefix + "tried");
  const auto& tried_bound = file.doubles(prefix + "tried.bound", names.size());
  const auto& iterations = file.integers(prefix + "tried.iterations", names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    tried.push_back({names[i], static_cast<std::size_t>(iterations[i]), tried_bound[i]});
}

void run(Engine& engine, RunTrace& trace, const RunLimits& limits,
         const std::function<void()>& after) {
  if (trace.termination == Termination::converged) return;  // taken up after its last iteration
  trace.termination = Termination::iteration_limit;
  const double tolerance = limits.tolerance * engine.strictness();
  while (trace.iterations() < limits.max_iterations) {
    trace.bound.push_back(engine.iterate());
    trace.training_bound = engine.training_bound();
    const double change = trace.change();
    const std::optional<bool> arrived = engine.arrived(limits.tolerance);
    if (!arrived) {
      trace.fell = trace.fell || change < -kRounding;
      trace.quiet = change < tolerance ? trace.quiet + 1 : 0;
    }
    const bool converged = arrived.value_or(trace.quiet >= engine.quiet_iterations());
    if (converged) trace.termination = Termination::converged;
    after();
    if (converged) return;
  }
}

}  // namespace medley::engines
