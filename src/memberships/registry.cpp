// SPDX-License-Identifier: Apache-2.0
#include "memberships/registry.hpp"

#include <vector>

namespace medley::memberships {
namespace {

std::vector<const MembershipEntry*>& list() {
  static std::vector<const MembershipEntry*> entries = {
      &mixed_membership, &single_membership,     &infinite_membership,
      &gamma_membership, &correlated_membership,
  };
  return entries;
}

}  // namespace

std::span<const MembershipEntry* const> registry() {
  return list();
}

const MembershipEntry* find(const std::string& name) {
  for (const MembershipEntry* entry : registry()) {
    if (name == entry->name) return entry;
  }
  return nullptr;
}

void add(const MembershipEntry& entry) {
  if (find(entry.name) == nullptr) list().push_back(&entry);
}

}  // namespace medley::memberships
