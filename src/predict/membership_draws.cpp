// SPDX-License-Identifier: Apache-2.0
#include "predict/membership_draws.hpp"

#include <vector>

#include "medley/error.hpp"
#include "model/row_chain.hpp"

namespace medley::predict {
namespace {

// Steps of a chain before its state is used. The chain begins with a draw given the earlier
// observations, so it is close to equilibrium.
constexpr int kSteps = 20;

}  // namespace

MembershipDraws::MembershipDraws(const model::ModelOnData& model, const Dataset& rows)
    : model_(model), rows_(rows) {
  const memberships::MembershipEntry& entry = model.parts().membership->entry();
  if (!entry.dirichlet || !medley::data::whole_weights(rows)) return;
  cells_ = medley::data::distinct_cells(rows);
  table_.emplace(model.estep(), *cells_);
}

void MembershipDraws::draw(std::size_t row, std::span<const double> state, core::Rng& rng,
                           std::span<double> theta) const {
  const memberships::Membership& membership = *model_.parts().membership;
  if (!table_) {
    membership.draw(state, rng, theta);
    return;
  }
  std::vector<double> posterior = counts(row, rng);
  for (std::size_t k = 0; k < posterior.size(); ++k) posterior[k] += membership.parameters()[k];
  membership.draw(posterior, rng, theta);
}

// The number of the row's observations of each component, drawn from p(n | x).
std::vector<double> MembershipDraws::counts(std::size_t row, core::Rng& rng) const {
  std::vector<std::uint32_t> codes;
  for (std::size_t b = 0; b < rows_.blocks.size(); ++b) {
    const Block& block = rows_.blocks[b];
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
      codes.insert(codes.end(), integer_of<std::size_t>(block.weight_of(c)), cells_->code[b][c]);
  }
  std::vector<double> out(model_.parts().components(), 0.0);
  if (codes.empty()) return out;
  model::RowChain chain(*table_, model_.parts().membership->parameters());
  std::vector<std::uint16_t> z(codes.size());
  chain.draw(codes, rng, z);
  for (int step = 0; step < kSteps; ++step) {
    chain.renew(codes, rng, z);
    chain.relabel(codes, rng, z);
    chain.sweep(codes, rng, z, 0, 0, nullptr);
  }
  for (const std::uint16_t k : z) out[k] += 1;
  return out;
}

}  // namespace medley::predict
