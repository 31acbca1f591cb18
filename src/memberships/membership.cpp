// SPDX-License-Identifier: Apache-2.0
#include "memberships/membership.hpp"

#include <algorithm>
#include <cassert>

namespace medley::memberships {

const InferenceMode* MembershipEntry::mode(const std::string& wanted) const {
  for (const InferenceMode& offered : modes) {
    if (wanted == offered.name) return &offered;
  }
  return nullptr;
}

Membership::Membership(const MembershipEntry& entry, std::size_t components)
    : parameters_(components, 1.0 / static_cast<double>(components)), entry_(entry) {}

void Membership::set_parameters(std::span<const double> values) {
  assert(values.size() == parameters_.size());
  std::copy(values.begin(), values.end(), parameters_.begin());
}

bool Membership::recall(double /*rows*/, PriorStatistics& /*out*/) const {
  return false;
}

void Membership::permute(std::span<const std::size_t> order) {
  const std::vector<double> before = parameters_;
  for (std::size_t k = 0; k < order.size(); ++k) parameters_[k] = before[order[k]];
}

void Membership::draw(core::Rng& rng, std::span<double> shares) const {
  std::vector<double> state(components());
  start(0, state);
  draw(state, rng, shares);
}

}  // namespace medley::memberships
