// SPDX-License-Identifier: Apache-2.0
#include "model/tables.hpp"

#include <algorithm>

#include "kernels/lanes.hpp"

namespace medley::model {
namespace {

// Rows of one width become rows of another.
std::vector<double> widened(std::span<const double> table, std::size_t from, std::size_t to) {
  std::vector<double> out(table.size() / from * to, 0.0);
  for (std::size_t row = 0; row < table.size() / from; ++row)
    std::ranges::copy(table.subspan(row * from, std::min(from, to)),
                      out.begin() + static_cast<std::ptrdiff_t>(row * to));
  return out;
}

}  // namespace

std::vector<double> unpadded(std::span<const double> table, std::size_t components) {
  return widened(table, kernels::padded(components), components);
}

std::vector<double> padded(std::span<const double> table, std::size_t components) {
  return widened(table, components, kernels::padded(components));
}

}  // namespace medley::model
