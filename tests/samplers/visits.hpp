// SPDX-License-Identifier: Apache-2.0
// Small data sets with missing cells, and whether a chain visits their partitions as often as it
// should.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "families/registry.hpp"
#include "samplers/dp_model.hpp"
#include "samplers/dp_truth.hpp"
#include "support/chi_square.hpp"
#include "support/toy.hpp"

namespace medley::samplers {

/// A problem that can be solved exactly.
struct Small {
  explicit Small(std::vector<Block> blocks, double a = 0.8)
      : data(test::dataset(std::move(blocks))), concentration(a) {
    for (const Block& block : data.blocks) priors.push_back(some_prior(block));
  }

  [[nodiscard]] DpOptions options() const {
    DpOptions out;
    for (const GivenPrior& prior : priors) out.priors.push_back(prior.option);
    out.concentration = concentration;
    out.search_rounds = 0;
    return out;
  }
  [[nodiscard]] Exact exact() const { return exact_posterior(data, priors, concentration); }

  Dataset data;
  double concentration;
  std::vector<GivenPrior> priors;
};

/// One block of a family, a third of its cells missing.
inline Small one_block(const families::FamilyEntry& entry, std::size_t rows) {
  return Small({test::random_block(entry, rows, 3, 0.3)});
}

/// Answers to two questions, by few people of many minds: several rows are equal, one is empty.
inline Small equal_rows() {
  return Small(
      {test::level_block(families::bernoulli_family.name,
                         {{0, 1}, {1, 1}, {0, 1}, {0, 1}, {1, 1}, {-1, -1}, {0, -1}}, {2, 2})});
}

/// Words, levels, numbers and counts together; the last row has nothing observed.
inline Small mixed_blocks(std::size_t rows) {
  std::vector<Block> blocks;
  for (const families::FamilyEntry* entry :
       {&families::bernoulli_family, &families::gaussian_family, &families::poisson_family,
        &families::tokens_family}) {
    Block block = test::random_block(*entry, rows, 8, 0.5);
    const std::size_t cells = block.row_start[rows - 1];
    block.row_start[rows] = cells;
    block.slot.resize(cells);
    if (!block.weight.empty()) block.weight.resize(cells);
    if (!block.value.empty()) block.value.resize(cells);
    blocks.push_back(block);
  }
  return Small(std::move(blocks));
}

/// How likely visits as far from the posterior as these are; next() goes on and returns labels.
inline double visits_p(const Exact& exact, std::size_t draws,
                       const std::function<const Labels&()>& next) {
  std::vector<double> count(exact.p.size(), 0.0);
  for (std::size_t i = 0; i < draws; ++i) ++count[exact.at.at(next())];
  return test::chi_square_p(count, exact.p);
}

inline constexpr double kImpossible = 1e-6;

}  // namespace medley::samplers
