// SPDX-License-Identifier: Apache-2.0
#include "samplers/align_draws.hpp"

#include "math/assignment.hpp"

namespace medley::samplers {

std::vector<std::size_t> align_draw(std::span<const double> draw, std::span<const double> reference,
                                    std::span<const double> weight, std::size_t components) {
  std::vector<double> cost(components * components, 0.0);  // reference x draw
  for (std::size_t r = 0; r < weight.size(); ++r) {
    const double* mine = &draw[r * components];
    for (std::size_t k = 0; k < components; ++k) {
      const double wanted = reference[r * components + k];
      double* of = &cost[k * components];
      for (std::size_t j = 0; j < components; ++j)
        of[j] += weight[r] * (mine[j] - wanted) * (mine[j] - wanted);
    }
  }
  return math::assign(cost, components, components);
}

}  // namespace medley::samplers
