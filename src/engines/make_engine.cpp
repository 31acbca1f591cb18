// SPDX-License-Identifier: Apache-2.0
#include "engines/make_engine.hpp"

#include <cmath>
#include <string>

#include "data/distinct_cells.hpp"
#include "engines/collapsed.hpp"
#include "engines/exact_em.hpp"
#include "engines/monte_carlo_em.hpp"
#include "engines/variational_em.hpp"
#include "medley/error.hpp"
#include "medley/integer_of.hpp"

namespace medley::engines {

namespace {

[[noreturn]] void refuse_exact(const std::string& why) {
  throw InputError({"--inference exact", why,
                    "use --inference monte-carlo, a smaller --k, or a larger --limit"});
}

// "40 seconds", "3 hours"
std::string in_words(double seconds) {
  const auto rounded = [](double value, const char* unit) {
    return std::to_string(nearest_integer_of<long long>(std::ceil(value))) + " " + unit;
  };
  if (seconds < 120) return rounded(seconds, "seconds");
  if (seconds < 7200) return rounded(seconds / 60, "minutes");
  if (seconds < 172'800) return rounded(seconds / 3600, "hours");
  return seconds < 1e10 ? rounded(seconds / 86'400, "days") : "more than a lifetime";
}

std::shared_ptr<const ExactData> exact_data(const EmData& data, const FitOptions& options) {
  const double per_second = kExactStepsPerSecond * static_cast<double>(data.threads);
  const double iterations = kExactIterations * static_cast<double>(options.restarts);
  const double most = options.limit * per_second / iterations;
  model::ExactPlan plan = model::plan_exact(*data.data, options.components, most);
  if (!plan.objection.empty()) refuse_exact("is not possible: " + plan.objection);
  if (plan.steps > most) {
    refuse_exact("would take about " + in_words(plan.steps * iterations / per_second) +
                 ", more than the limit of " + in_words(options.limit));
  }
  return std::make_shared<const ExactData>(*data.data, std::move(plan));
}

std::shared_ptr<const ChainData> chain_data(const Dataset& data) {
  if (!data::whole_weights(data)) {
    throw InputError({"--inference monte-carlo",
                      "needs whole numbers of observations (no block weights)",
                      "use --inference standard, or fit without --block-weight"});
  }
  return std::make_shared<const ChainData>(data);
}

}  // namespace

void equip(EmData& data, const memberships::InferenceMode& mode, const FitOptions& options) {
  if (mode.engine == memberships::Engine::lattice) data.exact = exact_data(data, options);
  if (mode.engine == memberships::Engine::sampling) data.chains = chain_data(*data.data);
}

std::unique_ptr<Engine> make_engine(const EmData& data, EmModel model, std::uint64_t seed) {
  if (model.mode->engine == memberships::Engine::sampling)
    return std::make_unique<MonteCarloEm>(data, std::move(model), seed);
  if (model.mode->engine == memberships::Engine::lattice)
    return std::make_unique<ExactEm>(data, std::move(model));
  if (model.mode->engine == memberships::Engine::collapsed)
    return std::make_unique<Collapsed>(data, std::move(model), seed);
  return std::make_unique<VariationalEm>(data, std::move(model),
                                         VariationalEm::Steps::extrapolated);
}

}  // namespace medley::engines
