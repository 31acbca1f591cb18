// SPDX-License-Identifier: Apache-2.0
// A model on a data set with given or random parameters, scored or fitted without the rest of the
// house.
#pragma once

#include <cmath>
#include <vector>

#include "core/rng.hpp"
#include "engines/variational_em.hpp"
#include "kernels/lanes.hpp"
#include "memberships/registry.hpp"
#include "model/score_rows.hpp"
#include "support/perturb.hpp"
#include "support/plain_density.hpp"

namespace medley::test {

/// Every family's own parameters at random.
inline void randomise(engines::EmModel& model, const Dataset& data, std::uint64_t seed,
                      double shape = 0.5) {
  core::Rng rng(seed, 31);
  for (std::size_t b = 0; b < data.blocks.size(); ++b)
    randomise(*model.families[b], data.blocks[b], rng, shape);
}

/// Whether VariationalEm can fit a model of that membership by it.
inline bool by_variation(const model::Inference& inference,
                         const memberships::MembershipEntry& membership) {
  return model::row_method(inference, membership).by_fixed_point && !inference.leave_one_out;
}

/// What rows hold of each component, rows x K; half of them hold little but of the first two.
inline std::vector<double> random_counts(std::size_t rows, std::size_t components,
                                         std::uint64_t seed) {
  core::Rng rng(seed, 32);
  std::vector<double> out;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < components; ++k)
      out.push_back((row % 2 == 0) == (k < 2) ? 10 * rng.uniform() : rng.uniform());
  }
  return out;
}

/// With a head: the rows' labels take part.
inline model::ScoredRows score(engines::EmModel& model, const Dataset& data,
                               std::size_t threads = 1,
                               const std::vector<std::int32_t>& label = {}) {
  std::vector<const families::Family*> families;
  for (auto& family : model.families) {
    family->prepare(true);
    families.push_back(family.get());
  }
  const model::EStepModel parts{families, model.membership.get(), model.inference, model.head.get(),
                                label};
  if (label.empty()) return model::score_rows(parts, data, threads);
  model::RowSolver solver(parts, data);
  model::ScoredRows out{{}, std::vector<double>(data.rows * model.membership->components()), {}};
  const std::size_t components = model.membership->components();
  for (std::size_t row = 0; row < data.rows; ++row) {
    const auto state = std::span(out.share).subspan(row * components, components);
    model.membership->start(data.observed(row), state);
    out.bound.push_back(solver.solve(row, model::kScoreLimits, model::Precision::score, state));
  }
  return out;
}

/// Plain likelihoods l_ok of a row's cells, all blocks in order.
inline std::vector<std::vector<double>> plain_rows(const engines::EmModel& model,
                                                   const Dataset& data, std::size_t row) {
  std::vector<std::vector<double>> rows;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    const families::Family& family = *model.families[b];
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      if (block.encoding == Encoding::real) {
        auto& row_of_cell = rows.emplace_back();
        const double x = block.value[c] - block.features[block.slot[c]].shift;
        for (std::size_t k = 0; k < family.components(); ++k) {
          const Named p = exported(family, block.slot[c], k);
          row_of_cell.push_back(std::exp(plain_log_density(block.family, p, x)));
        }
        continue;
      }
      const auto first = family.parameters().begin() +
                         static_cast<std::ptrdiff_t>(block.slot[c] * family.padded());
      rows.emplace_back(first, first + static_cast<std::ptrdiff_t>(family.components()));
    }
  }
  return rows;
}

inline std::vector<int> plain_weights(const Dataset& data, std::size_t row) {
  std::vector<int> weights;
  for (const Block& block : data.blocks) {
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      weights.push_back(static_cast<int>(block.weight_of(c)));
    }
  }
  return weights;
}

}  // namespace medley::test
