// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

#include <algorithm>
#include <cassert>

#include "kernels/lanes.hpp"

namespace medley::families {

Family::Family(const FamilyEntry& entry, std::size_t components, std::size_t parameter_rows,
               std::size_t statistic_rows)
    : parameters_(parameter_rows * kernels::padded(components), 0.0),
      statistics_(statistic_rows * kernels::padded(components), 0.0),
      entry_(entry),
      components_(components),
      padded_(kernels::padded(components)) {}

void Family::set_parameters(std::span<const double> values) {
  assert(values.size() == parameters_.size());
  std::copy(values.begin(), values.end(), parameters_.begin());
}

void Family::observe(const Block& /*block*/, const data::Columns& /*columns*/,
                     std::span<const double> /*row_weight*/) {}

bool Family::recall(std::span<const double> /*weight*/, const Smoothing& /*smoothing*/) {
  return false;
}

void Family::free_parameters(std::span<double> /*out*/) const {
  assert(false && "asked of a family without free parameters");
}

void Family::set_free_parameters(std::span<const double> /*values*/) {
  assert(false && "asked of a family without free parameters");
}

void Family::free_gradient(std::span<double> /*out*/) const {
  assert(false && "asked of a family without free parameters");
}

Moments Family::moments(std::size_t /*feature*/, std::size_t /*component*/) const {
  assert(false && "asked of a family that takes no numbers");
  return {};
}

double Family::cumulative(std::size_t /*feature*/, std::size_t /*component*/,
                          double /*value*/) const {
  assert(false && "asked of a family that takes no numbers");
  return 0;
}

void Family::permute(std::span<const std::size_t> order) {
  assert(order.size() == components_);
  std::vector<double> row(components_);
  for (std::size_t at = 0; at < parameters_.size(); at += padded_) {
    for (std::size_t k = 0; k < components_; ++k) row[k] = parameters_[at + order[k]];
    std::copy(row.begin(), row.end(), parameters_.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

}  // namespace medley::families
