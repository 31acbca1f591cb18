// SPDX-License-Identifier: Apache-2.0
#include "memberships/membership.hpp"

#include <algorithm>
#include <cassert>

#include "memberships/component_scales.hpp"

namespace medley::memberships {

std::unique_ptr<Membership> MembershipEntry::make(std::size_t components,
                                                  const RateOptions& rates) const {
  RateOptions full = rates;
  const auto k = static_cast<double>(components);
  if (!full.a0) full.a0 = 1 / k;
  if (!full.b0) full.b0 = 1 / k;
  if (!full.c0) full.c0 = 1;
  if (!full.dimension) full.dimension = std::min<std::size_t>(components, 100);
  if (!full.sigma2) full.sigma2 = 1 / static_cast<double>(*full.dimension);
  return create(components, full);
}

Membership::Membership(const MembershipEntry& entry, std::size_t components)
    : Membership(entry, components, {components, components, components}) {}

Membership::Membership(const MembershipEntry& entry, std::size_t components, const Sizes& sizes)
    : parameters_(sizes.parameters, 1.0 / static_cast<double>(components)),
      entry_(entry),
      components_(components),
      sizes_(sizes) {}

double Membership::constant(double m) const {
  return entry_.counts ? poisson_constant(m) : 0.0;
}

PriorStatistics Membership::empty_statistics() const {
  PriorStatistics none;
  none.sum.assign(statistics_size(), 0.0);
  return none;
}

std::string Membership::invalid_reason() const {
  const bool fine =
      std::ranges::all_of(parameters_, [](double v) { return v > 0 && std::isfinite(v); });
  return fine ? "" : std::string(entry_.parameter) + " must be above 0";
}

void Membership::set_parameters(std::span<const double> values) {
  assert(values.size() == parameters_.size());
  std::copy(values.begin(), values.end(), parameters_.begin());
}

bool Membership::recall(double /*rows*/, PriorStatistics& /*out*/) const {
  return false;
}

void Membership::permute(std::span<const std::size_t> order) {
  std::vector<double> permuted = parameters_;
  const std::size_t width = permuted.size() / components_;
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (std::size_t j = 0; j < width; ++j)
      permuted[k * width + j] = parameters_[order[k] * width + j];
  }
  set_parameters(permuted);
}

void Membership::draw(core::Rng& rng, std::span<double> shares) const {
  std::vector<double> state(state_size());
  start(0, state);
  draw(state, rng, shares);
}

}  // namespace medley::memberships
