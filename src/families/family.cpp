// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "kernels/lanes.hpp"

namespace medley::families {

Family::Family(const FamilyEntry& entry, std::size_t components, const Rows& rows)
    : parameters_(rows.parameters * kernels::padded(components), 0.0),
      statistics_(rows.statistics * kernels::padded(components), 0.0),
      entry_(entry),
      components_(components),
      padded_(kernels::padded(components)),
      strength_rows_(entry.posterior ? rows.strengths : 0) {}

void Family::set_parameters(std::span<const double> values) {
  assert(values.size() == parameters_.size());
  std::copy(values.begin(), values.end(), parameters_.begin());
  strengths_.clear();
}

std::vector<double> Family::completed(std::vector<double> table, std::size_t /*components*/) const {
  return table;
}

void Family::set_strengths(std::span<const double> values) {
  assert(values.size() == strengths_size());
  strengths_.assign(values.begin(), values.end());
}

std::vector<double> Family::take_strengths() {
  return std::exchange(strengths_, {});
}

void Family::prepare_for(const data::Columns& /*columns*/, bool log_rows) {
  prepare(log_rows);
}

void Family::begin_average() {
  average_.assign(statistics_.size(), 0.0);
}

void Family::blend(double keep, double add, const data::Columns& /*columns*/) {
  for (std::size_t i = 0; i < average_.size(); ++i)
    average_[i] = keep * average_[i] + add * statistics_[i];
}

void Family::maximise_average(const Smoothing& smoothing) {
  statistics_ = average_;
  maximise(smoothing);
}

void Family::end_average() {
  average_ = {};
}

void Family::restore_average(std::span<const double> state, const Smoothing& /*smoothing*/) {
  average_.assign(state.begin(), state.end());
}

void Family::observe(const Block& /*block*/, const data::Columns& /*columns*/,
                     std::span<const double> /*row_weight*/) {}

bool Family::recall(std::span<const double> /*weight*/, const Smoothing& /*smoothing*/) {
  return false;
}

std::vector<double> Family::slot_priors(const Smoothing& /*smoothing*/) const {
  return {};
}

std::optional<double> Family::better_smoothing(const Smoothing& /*smoothing*/) const {
  return std::nullopt;
}

double Family::narrow_rows(const Block& /*block*/, std::size_t /*row*/, float* /*out*/) const {
  assert(false && "asked of a family without rows in float");
  return 0;
}

void Family::free_parameters(std::span<double> /*out*/) const {
  assert(false && "asked of a family without free parameters");
}

void Family::set_free_parameters(std::span<const double> /*values*/) {
  assert(false && "asked of a family without free parameters");
}

void Family::free_gradient(std::span<double> /*out*/) const {
  assert(false && "asked of a family without free parameters");
}

Moments Family::moments(std::size_t /*feature*/, std::size_t /*component*/) const {
  assert(false && "asked of a family that takes no numbers");
  return {};
}

double Family::cumulative(std::size_t /*feature*/, std::size_t /*component*/,
                          double /*value*/) const {
  assert(false && "asked of a family that takes no numbers");
  return 0;
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
