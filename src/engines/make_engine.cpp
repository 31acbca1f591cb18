// SPDX-License-Identifier: Apache-2.0
#include "engines/make_engine.hpp"

#include <limits>

#include "engines/exact_em.hpp"
#include "engines/variational_em.hpp"

namespace medley::engines {

void equip(EmData& data, const memberships::InferenceMode& mode, std::size_t components) {
  if (mode.engine != memberships::Engine::lattice || data.exact) return;
  data.exact = std::make_shared<const ExactData>(
      *data.data,
      model::plan_exact(*data.data, components, std::numeric_limits<double>::infinity()));
}

std::unique_ptr<Engine> make_engine(const EmData& data, EmModel model) {
  if (model.mode->engine == memberships::Engine::lattice)
    return std::make_unique<ExactEm>(data, std::move(model));
  return std::make_unique<VariationalEm>(data, std::move(model));
}

}  // namespace medley::engines
