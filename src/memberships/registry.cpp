// SPDX-License-Identifier: Apache-2.0
#include "memberships/registry.hpp"

namespace medley::memberships {
namespace {

const MembershipEntry* const kMemberships[] = {
    &mixed_membership, &single_membership,     &infinite_membership,
    &gamma_membership, &correlated_membership,
};

}  // namespace

std::span<const MembershipEntry* const> registry() {
  return kMemberships;
}

const MembershipEntry* find(const std::string& name) {
  for (const MembershipEntry* entry : registry()) {
    if (name == entry->name) return entry;
  }
  return nullptr;
}

}  // namespace medley::memberships
