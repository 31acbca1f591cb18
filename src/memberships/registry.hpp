// SPDX-License-Identifier: Apache-2.0
// Every membership there is. To add one: declare its entry here and list it in registry.cpp.
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
/// For a membership from outside of the library, which must outlive every use of it. To be called
/// before any other thread reads the registry.
void add(const MembershipEntry& entry);

}  // namespace medley::memberships
