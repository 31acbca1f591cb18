// SPDX-License-Identifier: Apache-2.0
#include "model/rows_abreast.hpp"

#include <algorithm>
#include <limits>

#include "kernels/lanes.hpp"
#include "medley/error.hpp"

namespace medley::model {

using kernels::kAbreast;

namespace {

// Up to this many components a row alone would be slower.
constexpr std::size_t kFew = 16;

// The cells of a row, in all blocks.
std::size_t cells_of(const Dataset& data, std::size_t row) {
  std::size_t cells = 0;
  for (const Block& block : data.blocks) cells += block.row_start[row + 1] - block.row_start[row];
  return cells;
}

}  // namespace

bool RowsAbreast::suit(const EStepModel& model) {
  return model.membership->components() <= kFew && !model.rows().pooled() &&
         model.head == nullptr && model.membership->fixed_point().has_value();
}

RowsAbreast::RowsAbreast(const EStepModel& model, const Dataset& data)
    : model_(model),
      data_(data),
      components_(model.membership->components()),
      padded_(kernels::padded(components_)),
      total_{},
      state_(components_ * kAbreast),
      counts_(components_ * kAbreast),
      room_(2 * components_ * kAbreast) {
  const auto fixed_point = model.membership->fixed_point();
  prior_.assign(fixed_point->prior.begin(), fixed_point->prior.end());
  if (!fixed_point->offset.empty()) {
    factor_.resize(components_);
    memberships::offset_factors(fixed_point->offset.data(), components_, factor_.data());
  }
}

// False if the rows are too different in length.
bool RowsAbreast::lay_out(std::size_t first, std::size_t end) {
  constexpr std::size_t kLeastFull = 2;  // at least one of so many cells is to be there
  longest_ = 0;
  std::size_t all = 0;
  for (std::size_t row = first; row < end; ++row) {
    const std::size_t cells = cells_of(data_, row);
    longest_ = std::max(longest_, cells);
    all += cells;
  }
  if (all * kLeastFull < longest_ * kAbreast) return false;
  rows_.resize(std::max(rows_.size(), longest_ * components_ * kAbreast));
  weight_.assign(longest_ * kAbreast, 0.0F);
  row_.resize(std::max(row_.size(), longest_ * padded_));
  return true;
}

void RowsAbreast::gather(std::size_t row, std::size_t lane) {
  std::size_t o = 0;
  double total = 0;
  for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
    const Block& block = data_.blocks[b];
    model_.families[b]->likelihood_rows(block, row, row_.data() + o * padded_);
    for (std::size_t cell = block.row_start[row]; cell < block.row_start[row + 1]; ++cell, ++o) {
      const double weight = static_cast<double>(block.weight_of(cell));
      weight_[o * kAbreast + lane] = static_cast<float>(weight);
      total += weight;
    }
  }
  total_[lane] = total;
  for (std::size_t cell = 0; cell < o; ++cell) {
    const double* from = row_.data() + cell * padded_;
    float* to = rows_.data() + cell * components_ * kAbreast + lane;
    for (std::size_t k = 0; k < components_; ++k) to[k * kAbreast] = static_cast<float>(from[k]);
  }
}

RowsAbreast::Left RowsAbreast::settle(std::size_t first, std::size_t end,
                                      const memberships::Limits& limits, std::span<double> states) {
  Left left{};
  left.fill(limits.max_sweeps);
  if (!lay_out(first, end)) return left;
  std::fill(state_.begin(), state_.end(), 1.0F);
  std::array<float, kAbreast> enough{}, how{}, sweeps{};
  enough.fill(std::numeric_limits<float>::infinity());  // a lane without a row is soon done
  for (std::size_t lane = 0; lane < end - first; ++lane) {
    const double* state = &states[(first + lane) * components_];
    gather(first + lane, lane);
    for (std::size_t k = 0; k < components_; ++k)
      state_[k * kAbreast + lane] = static_cast<float>(state[k]);
    enough[lane] = static_cast<float>(limits.tolerance * std::max(1.0, total_[lane]));
  }
  kernels::sweeps_abreast(
      {rows_.data(), weight_.data(), longest_, components_, prior_.data(),
       factor_.empty() ? nullptr : factor_.data()},
      {enough.data(), limits.max_sweeps, static_cast<float>(memberships::kLeastNorm)},
      {state_.data(), counts_.data(), how.data(), sweeps.data(), room_.data()});
  const auto fixed_point = model_.membership->fixed_point();
  for (std::size_t lane = 0; lane < end - first; ++lane) {
    if (how[lane] == kernels::kUnsound || total_[lane] <= 0) continue;
    left[lane] = 0;
    if (how[lane] == kernels::kMoving)
      left[lane] =
          limits.max_sweeps - std::min(limits.max_sweeps, integer_of<std::size_t>(sweeps[lane]));
    // The prior is added in double: a component without counts has the prior exactly.
    for (std::size_t k = 0; k < components_; ++k)
      states[(first + lane) * components_ + k] =
          fixed_point->prior[k] + static_cast<double>(counts_[k * kAbreast + lane]);
  }
  return left;
}

}  // namespace medley::model
