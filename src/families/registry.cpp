// SPDX-License-Identifier: Apache-2.0
#include "families/registry.hpp"

namespace medley::families {
namespace {

// One per line, in the order that `medley models` lists them.
// clang-format off
const FamilyEntry* const kFamilies[] = {
    &bernoulli_family,
    &categorical_family,
    &gaussian_family,
    &lognormal_family,
    &gamma_family,
    &exponential_family,
    &poisson_family,
    &tokens_family,
};
// clang-format on

}  // namespace

std::span<const FamilyEntry* const> registry() {
  return kFamilies;
}

const FamilyEntry* find(const std::string& name) {
  for (const FamilyEntry* entry : registry()) {
    if (name == entry->name) return entry;
  }
  return nullptr;
}

}  // namespace medley::families
