// SPDX-License-Identifier: Apache-2.0
#include "model/marginal.hpp"

#include <algorithm>

#include "core/task.hpp"
#include "data/slot_index.hpp"
#include "families/registry.hpp"

namespace medley::model {
namespace {

// The statistics of a family with one component to which every row belongs.
std::vector<double> collect_all(const Dataset& data, const Block& block,
                                const data::Columns& columns, const families::Family& family) {
  std::vector<double> vectors(data.rows * family.padded(), 0.0);
  std::vector<double> coefficient(block.cells());
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    vectors[row * family.padded()] = 1.0;
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      coefficient[c] = data.weight_of(row) * static_cast<double>(block.weight_of(c));
    }
  }
  return family.collect(columns, block, {vectors.data(), coefficient.data(), false, {}});
}

families::Smoothing at_least_a_little(families::Smoothing smoothing) {
  if (smoothing.each <= 0) smoothing.each = kMarginalSmoothing;
  return smoothing;
}

}  // namespace

MarginalFit::MarginalFit(const Dataset& like, std::size_t block)
    : block_(block),
      first_slot_(like.blocks[block].first_slot),
      family_(families::find(like.blocks[block].family)->make(like.blocks[block], 1)) {
  family_->observe(like.blocks[block], data::transpose(like.blocks[block]), like.row_weight);
  sum_.assign(family_->statistics_size(), 0.0);
  total_.assign(like.blocks[block].slots(), 0.0);
}

bool MarginalFit::recall(const families::Family& earlier, const std::vector<double>& totals,
                         families::Smoothing smoothing) {
  total_ = totals;
  family_->set_parameters(earlier.parameters());
  std::vector<double> weight;
  for (std::size_t f = 0; f + 1 < first_slot_.size(); ++f) {
    double sum = 0;
    for (std::size_t s = first_slot_[f]; s < first_slot_[f + 1]; ++s) sum += totals[s];
    weight.push_back(sum);
  }
  return family_->recall(weight, at_least_a_little(smoothing), sum_);
}

void MarginalFit::add(const Dataset& rows) {
  const Block& block = rows.blocks[block_];
  const std::vector<double> sums = collect_all(rows, block, data::transpose(block), *family_);
  for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += sums[i];
  const std::vector<double> more = model::slot_totals(rows, block);
  for (std::size_t s = 0; s < total_.size(); ++s) total_[s] += more[s];
}

void MarginalFit::sum(core::Reducer& across) {
  across.sum(sum_);
  across.sum(total_);
}

std::unique_ptr<families::Family> MarginalFit::take(families::Smoothing smoothing) {
  family_->maximise(sum_, at_least_a_little(smoothing));
  return std::move(family_);
}

std::unique_ptr<families::Family> fit_marginal(const Dataset& data, const Block& block,
                                               families::Smoothing smoothing,
                                               core::Reducer& across) {
  auto family = families::find(block.family)->make(block, 1);
  const data::Columns columns = data::transpose(block);
  family->observe(block, columns, data.row_weight, across);
  std::vector<double> statistics = collect_all(data, block, columns, *family);
  across.sum(statistics);
  family->maximise(statistics, at_least_a_little(smoothing));
  return family;
}

std::vector<double> slot_totals(const Dataset& data, const Block& block) {
  std::vector<double> total(block.slots(), 0.0);
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      total[block.slot[c]] += data.weight_of(row) * static_cast<double>(block.weight_of(c));
    }
  }
  return total;
}

}  // namespace medley::model
