// SPDX-License-Identifier: Apache-2.0
// Yes/no answers of people who belong to two profiles in part, every tenth answer missing. The
// first profile says yes to even items, the second to odd ones.
#pragma once

#include <cmath>
#include <vector>

#include "core/rng.hpp"
#include "families/registry.hpp"
#include "support/toy.hpp"

namespace medley::samplers {

struct Survey {
  static constexpr double kAlpha[2] = {0.3, 0.2};

  Survey(std::size_t people, std::size_t item_count, std::uint64_t seed = 1) : items(item_count) {
    core::Rng rng(seed, 55);
    for (std::size_t k = 0; k < 2; ++k) {
      yes.emplace_back();
      for (std::size_t j = 0; j < items; ++j)
        yes[k].push_back(j % 2 == k ? 0.75 + 0.2 * rng.uniform() : 0.05 + 0.2 * rng.uniform());
    }
    for (std::size_t i = 0; i < people; ++i) {
      const double one = rng.gamma(kAlpha[0]) + 1e-300;
      theta.push_back(one / (one + rng.gamma(kAlpha[1])));
      codes.emplace_back();
      for (std::size_t j = 0; j < items; ++j) {
        const std::size_t k = rng.uniform() < theta[i] ? 0 : 1;
        const int answer = rng.uniform() < yes[k][j] ? 1 : 0;
        codes[i].push_back(rng.uniform() < 0.1 ? -1 : answer);
      }
    }
    data = test::dataset({block(codes)});
  }

  [[nodiscard]] Block block(const std::vector<std::vector<int>>& answers) const {
    return test::level_block(families::bernoulli_family.name, answers,
                             std::vector<std::size_t>(items, 2));
  }

  std::size_t items;
  std::vector<std::vector<double>> yes;  ///< per profile and item
  std::vector<double> theta;             ///< per person: of the first profile
  std::vector<std::vector<int>> codes;
  Dataset data;
};

}  // namespace medley::samplers
