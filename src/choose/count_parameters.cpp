// SPDX-License-Identifier: Apache-2.0
#include "choose/count_parameters.hpp"

#include "families/family.hpp"
#include "heads/softmax.hpp"
#include "memberships/membership.hpp"

namespace medley::choose {
namespace {

std::size_t of_prior(const model::Parts& parts) {
  const std::size_t components = parts.components();
  if (components == 1) return 0;
  const memberships::MembershipEntry& entry = parts.membership->entry();
  if (entry.sole) return components - 1;
  if (!entry.dirichlet) return parts.membership->parameters().size();
  if (parts.options.alpha == "symmetric") return 1;
  return parts.options.alpha.starts_with("fixed") ? 0 : components;
}

// Of one component. Lists of words may be long: where the slots tell, the family is not asked.
std::size_t of_block(const model::ModelBlock& block) {
  if (block.shape.encoding != Encoding::real)
    return block.shape.slots() - block.shape.features.size();
  std::size_t out = 0;
  for (std::size_t f = 0; f < block.shape.features.size(); ++f) {
    for (const families::ExportField& field : block.family->entry().fields(*block.family, f))
      out += field.common ? 0 : 1;
  }
  return out;
}

}  // namespace

std::size_t count_parameters(const model::Parts& parts) {
  std::size_t out = of_prior(parts);
  for (const model::ModelBlock& block : parts.blocks) out += parts.components() * of_block(block);
  if (parts.head) out += (parts.head->classes() - 1) * parts.components();
  return out;
}

}  // namespace medley::choose
