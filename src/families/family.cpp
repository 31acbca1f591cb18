// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "kernels/lanes.hpp"

namespace medley::families {

Family::Family(const FamilyEntry& entry, std::size_t components, const Rows& rows)
    : parameters_(rows.parameters * kernels::padded(components), 0.0),
      entry_(entry),
      components_(components),
      padded_(kernels::padded(components)),
      statistics_rows_(rows.statistics),
      strength_rows_(entry.posterior ? rows.strengths : 0) {}

void Family::set_parameters(std::span<const double> values) {
  assert(values.size() == parameters_.size());
  std::copy(values.begin(), values.end(), parameters_.begin());
  strengths_.clear();
}

void Family::set_strengths(std::span<const double> values) {
  assert(values.size() == strengths_size());
  strengths_.assign(values.begin(), values.end());
}

std::vector<double> Family::take_strengths() {
  return std::exchange(strengths_, {});
}

void Family::prepare_for(const data::Columns& columns, bool log_rows) {
  if (SparseAverage* own = sparse()) return own->prepare_met(columns, log_rows);
  prepare(log_rows);
}

void Family::begin_average() {
  if (SparseAverage* own = sparse()) return own->begin_sparse();
  average_.assign(statistics_size(), 0.0);
}

void Family::blend(double keep, double add, const data::Columns& columns,
                   std::span<const double> statistics) {
  if (SparseAverage* own = sparse()) return own->blend_sparse(keep, add, columns, statistics);
  for (std::size_t i = 0; i < average_.size(); ++i)
    average_[i] = keep * average_[i] + add * statistics[i];
}

void Family::maximise_average(const Smoothing& smoothing) {
  if (SparseAverage* own = sparse()) return own->maximise_sparse(smoothing);
  maximise(average_, smoothing);
}

void Family::refresh() {
  if (SparseAverage* own = sparse()) own->bring_up_sparse();
}

void Family::end_average() {
  if (SparseAverage* own = sparse()) return own->end_sparse();
  average_ = {};
}

std::vector<double> Family::average() const {
  const SparseAverage* own = sparse();
  return own != nullptr ? own->sparse_average() : average_;
}

std::vector<double> Family::average_state() const {
  const SparseAverage* own = sparse();
  return own != nullptr ? own->sparse_state() : average_;
}

void Family::restore_average(std::span<const double> state, const Smoothing& smoothing) {
  if (SparseAverage* own = sparse()) return own->restore_sparse(state, smoothing);
  average_.assign(state.begin(), state.end());
}

void Family::observe(const Block& /*block*/, const data::Columns& /*columns*/,
                     std::span<const double> /*row_weight*/, core::Reducer& /*across*/) {}

std::vector<double> Family::collect(const data::Columns& columns, const Block& block,
                                    const Responsibilities& from) const {
  std::vector<double> statistics(statistics_size(), 0.0);
  collect(columns, block, from, 0, block.slots(), statistics);
  return statistics;
}

bool Family::recall(std::span<const double> /*weight*/, const Smoothing& /*smoothing*/,
                    std::span<double> /*statistics*/) const {
  return false;
}

void Family::permute(std::span<const std::size_t> order) {
  assert(order.size() == components_ && average_.empty());
  permute_columns(parameters_, padded_, order);
  permute_columns(strengths_, padded_, order);
}

void permute_columns(std::span<double> matrix, std::size_t padded,
                     std::span<const std::size_t> order) {
  std::vector<double> row(order.size());
  for (std::size_t at = 0; at < matrix.size(); at += padded) {
    for (std::size_t k = 0; k < order.size(); ++k) row[k] = matrix[at + order[k]];
    std::copy(row.begin(), row.end(), matrix.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

}  // namespace medley::families
