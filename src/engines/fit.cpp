// SPDX-License-Identifier: Apache-2.0
// Fitting from data to model: which of the fits it is.
#include "medley/fit.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/task.hpp"
#include "core/text.hpp"
#include "data/memory_rows.hpp"
#include "engines/checkpoint.hpp"
#include "engines/fit_share.hpp"
#include "engines/fitter.hpp"
#include "engines/registry.hpp"
#include "engines/shards.hpp"
#include "engines/stochastic_fit.hpp"
#include "medley/error.hpp"
#include "memberships/membership.hpp"

namespace medley {
namespace engines {
namespace {

// A number that says what is to be fitted, and how.
double hash_of(const FitOptions& options) {
  constexpr std::size_t kDigits = 13;  // of which a double has all
  return std::strtod(("0x" + fingerprint({}, options).substr(0, kDigits)).c_str(), nullptr);
}

// What needs all rows in one place.
void refuse_unspread(const model::Resolved& resolved, core::Reducer& across) {
  const FitOptions& options = resolved.options;
  std::vector<Problem> problems;
  const auto refuse = [&](const std::string& what, const char* why, const char* hint) {
    problems.push_back({what, why, hint});
  };
  if (!engine_of(*resolved.inference).spreads)
    refuse(core::setting("inference", options.inference), "needs all rows in one process",
           "use `inference=\"standard\"` or `inference=\"fast\"`");
  if (resolved.membership->located)
    refuse(core::setting("membership", options.membership),
           "keeps records of rows, which do not add up over processes",
           "use `membership=\"gamma\"`, or fit in one process");
  if (options.init == "collapsed")
    refuse("`init=\"collapsed\"`", "needs all rows in one process", "use `init=\"sample\"`");
  if (!problems.empty()) throw InputError(std::move(problems));
  const double own = hash_of(options);
  const std::vector<double> all = across.gather({&own, 1});
  if (std::ranges::count(all, own) != static_cast<std::ptrdiff_t>(all.size()))
    throw InputError({"the processes", "do not fit the same model",
                      "give all of them the same options, and name `inference` and `init`"});
}

}  // namespace

Model fit_share(const Dataset& own, const FitOptions& options, const Hooks& hooks,
                core::Reducer& across) {
  return fit_share(own, model::resolve(own, options), hooks, across);
}

Model fit_share(const Dataset& own, model::Resolved resolved, const Hooks& hooks,
                core::Reducer& across) {
  const core::Task task(hooks.stop);
  if (resolved.options.batch > 0)
    throw InputError({"`batch`", "minibatches are learnt in one process", "leave it out"});
  refuse_unspread(resolved, across);
  return Fitter(own, std::move(resolved), hooks, nullptr, across).run();
}

}  // namespace engines

Model fit(const Dataset& data, const FitOptions& options, const Hooks& hooks) {
  const core::Task task(hooks.stop);
  if (options.shards > 0) return engines::fit_shards(data, options, hooks);
  if (model::minibatch(options, data.rows) > 0) {
    check(data);
    return engines::fit_in_minibatches(data::MemoryRows(data), options, hooks, {});
  }
  model::Resolved resolved = model::resolve(data, options);
  if (const auto sample = engines::engine_of(*resolved.inference).sample; sample != nullptr)
    return sample(data, resolved, hooks);
  return engines::Fitter(data, std::move(resolved), hooks, nullptr).run();
}

Model fit(const Dataset& data, const FitOptions& options, const Model& start, const Hooks& hooks) {
  const core::Task task(hooks.stop);
  if (options.shards > 0)
    throw InputError({core::setting("shards", std::to_string(options.shards)),
                      "begin afresh, not with a model", "leave one of the two out"});
  FitOptions once = options;
  once.init.clear();
  once.restarts = 1;
  if (model::minibatch(options, data.rows) > 0) {
    check(data);
    return engines::fit_in_minibatches(data::MemoryRows(data), once, hooks, {.start = &start});
  }
  model::Resolved resolved = model::resolve(data, once);
  if (const auto sample = engines::engine_of(*resolved.inference).sample; sample != nullptr)
    return sample(data, resolved, hooks);
  resolved.options.init = model::kModelStart;
  return engines::Fitter(data, std::move(resolved), hooks, &start).run();
}

}  // namespace medley
