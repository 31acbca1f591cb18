// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "core/task.hpp"

#include "evaluate/membership_posteriors.hpp"
#include "medley/error.hpp"
#include "medley/uncertainty.hpp"

namespace medley {

MembershipIntervals membership_intervals(const Model& model, const Dataset& data, double level,
                                         std::size_t threads, std::uint64_t seed,
                                         const Hooks& hooks) {
  const core::Task task(hooks);
  if (!(level > 0 && level < 1))
    throw InputError({"`intervals`", "the level must lie between 0 and 1", "for example 0.9"});
  if (!model.parts().membership->entry().dirichlet) {
    throw InputError({"`intervals`",
                      "under single membership a row belongs to one profile; its shares are the "
                      "probabilities of each, and have no intervals",
                      "leave it out, or fit with `membership=\"mixed\"`"});
  }
  const std::array<double, 2> probabilities = {(1 - level) / 2, (1 + level) / 2};
  evaluation::MembershipPosteriors posteriors = evaluation::membership_posteriors(
      model::ModelOnData(model, data), data, probabilities, threads, seed);
  for (double& low : posteriors.quantile[0]) low = low < kNoShare ? 0.0 : low;
  for (double& high : posteriors.quantile[1]) high = high > 1 - kNoShare ? 1.0 : high;
  return {model.components(),
          level,
          posteriors.estimator,
          posteriors.effective_draws,
          std::move(posteriors.quantile[0]),
          std::move(posteriors.quantile[1])};
}

}  // namespace medley
