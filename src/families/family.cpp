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

void Family::permute(std::span<const std::size_t> order) {
  assert(order.size() == components_);
  std::vector<double> row(components_);
  for (std::size_t at = 0; at < parameters_.size(); at += padded_) {
    for (std::size_t k = 0; k < components_; ++k) row[k] = parameters_[at + order[k]];
    std::copy(row.begin(), row.end(), parameters_.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

}  // namespace medley::families
