// SPDX-License-Identifier: Apache-2.0
#include "samplers/dic.hpp"

#include <numeric>

namespace medley::samplers {

Dic conditional_dic(std::span<const double> log_likelihood, double plug_in) {
  const double sum = std::accumulate(log_likelihood.begin(), log_likelihood.end(), 0.0);
  return {-2 * sum / static_cast<double>(log_likelihood.size()), -2 * plug_in};
}

}  // namespace medley::samplers
