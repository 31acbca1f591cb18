// SPDX-License-Identifier: Apache-2.0
// Every family there is. To add one: declare its entry here and list it in registry.cpp.
#pragma once

#include <span>
#include <string>

#include "families/family.hpp"

namespace medley::families {

extern const FamilyEntry bernoulli_family;
extern const FamilyEntry categorical_family;
extern const FamilyEntry exponential_family;
extern const FamilyEntry gamma_family;
extern const FamilyEntry gaussian_family;
extern const FamilyEntry geometric_family;
extern const FamilyEntry lognormal_family;
extern const FamilyEntry poisson_family;
extern const FamilyEntry tokens_family;

[[nodiscard]] std::span<const FamilyEntry* const> registry();
/// The entry of that name, or null.
[[nodiscard]] const FamilyEntry* find(const std::string& name);

}  // namespace medley::families
