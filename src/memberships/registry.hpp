// SPDX-License-Identifier: Apache-2.0
// The registry of memberships. To add one: declare its entry here and list it in registry.cpp.
#pragma once

#include <span>
#include <string>

#include "memberships/membership.hpp"

namespace medley::memberships {

extern const MembershipEntry mixed_membership;
extern const MembershipEntry single_membership;
extern const MembershipEntry infinite_membership;
extern const MembershipEntry gamma_membership;
extern const MembershipEntry correlated_membership;

[[nodiscard]] std::span<const MembershipEntry* const> registry();
/// The entry of that name, or null.
[[nodiscard]] const MembershipEntry* find(const std::string& name);
/// Adds a membership from outside the library; it must outlive every use. Call it before any other
/// thread reads the registry.
void add(const MembershipEntry& entry);

}  // namespace medley::memberships
