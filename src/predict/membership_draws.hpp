// SPDX-License-Identifier: Apache-2.0
// Draws of memberships from a row's posterior. Mixed membership: a chain over the components of the
// row's observations (model/row_chain.hpp), from a fresh start for every draw, then theta ~
// Dirichlet(alpha + n). This is the exact posterior, not the variational one, which is
// overconfident. Single membership, and cells with fractional weights: from the row's state.
#pragma once

#include <optional>
#include <span>

#include "core/rng.hpp"
#include "model/cell_table.hpp"
#include "model/model_on_data.hpp"

namespace medley::predict {

class MembershipDraws {
 public:
  /// Both must outlive it.
  MembershipDraws(const model::ModelOnData& model, const Dataset& rows);

  /// `state` is the row's state; `theta` (K) sums to 1.
  void draw(std::size_t row, std::span<const double> state, core::Rng& rng,
            std::span<double> theta) const;

 private:
  [[nodiscard]] std::vector<double> counts(std::size_t row, core::Rng& rng) const;

  const model::ModelOnData& model_;
  const Dataset& rows_;
  std::optional<medley::data::DistinctCells> cells_;  // if there is a chain
  std::optional<model::CellTable> table_;
};

}  // namespace medley::predict
