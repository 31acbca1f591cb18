// SPDX-License-Identifier: Apache-2.0
#include "engines/start_file.hpp"

#include <algorithm>
#include <string>

#include "core/text.hpp"
#include "medley/error.hpp"
#include "memberships/registry.hpp"
#include "model/model.hpp"

namespace medley::engines {
namespace {

void take_prior(const memberships::Membership& from, memberships::Membership& to) {
  const bool alike =
      &from.entry() == &to.entry() && from.parameters().size() == to.parameters().size();
  if (alike) {
    to.set_parameters(from.parameters());
  } else {
    to.copy_prior_from(from);
  }
}

}  // namespace

void start_from_model(const Model& from, const std::vector<Block>& shapes, EmModel& model) {
  const std::string where = "the model to start from";
  const model::Parts& parts = from.parts();
  const std::size_t components = model.membership->components();
  if (parts.components() != components) {
    throw InputError({where,
                      "has " + std::to_string(parts.components()) + " components, `k` asks for " +
                          std::to_string(components),
                      "use " + core::setting("k", parts.components())});
  }
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    const auto found = std::ranges::find_if(parts.blocks, [&](const model::ModelBlock& block) {
      return model::same_shape(block.shape, shapes[b]);
    });
    if (found == parts.blocks.end()) {
      throw InputError(
          {where, "has no block with the columns, levels and family of \"" + shapes[b].name + "\"",
           "start from a model of the same columns; read the data with its schema (`schema`)"});
    }
    const std::vector<double> observed(model.families[b]->parameters().begin(),
                                       model.families[b]->parameters().end());
    model.families[b]->set_parameters(found->family->parameters());
    // Of this data, as its options say; a posterior has no floor.
    families::VarianceFloors* floors = model.families[b]->floors();
    if (!model.smoothing.posterior && floors != nullptr) floors->take_floors(observed);
    if (model.smoothing.posterior && !found->strengths.empty())
      model.families[b]->set_strengths(found->strengths);
  }
  take_prior(*parts.membership, *model.membership);
}

}  // namespace medley::engines
