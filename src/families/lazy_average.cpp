// SPDX-License-Identifier: Apache-2.0
#include "families/lazy_average.hpp"

#include <algorithm>
#include <cassert>

namespace medley::families {
namespace {

// Numbers stored are up to its inverse times as large as what they stand for.
constexpr double kLeastFactor = 1e-100;

}  // namespace

LazyAverage::LazyAverage(std::span<const std::uint32_t> first_slot, std::size_t padded)
    : first_slot_(first_slot),
      padded_(padded),
      total_((first_slot.size() - 1) * padded, 0.0),
      stored_(first_slot.back() * padded, 0.0) {}

void LazyAverage::decay(double keep) {
  for (double& total : total_) total *= keep;
  factor_ *= keep;
  if (keep > 0 && factor_ < kLeastFactor) multiply_out();
  if (keep > 0) return;
  std::fill(stored_.begin(), stored_.end(), 0.0);
  factor_ = 1;
}

void LazyAverage::add(std::size_t feature, std::size_t slot, double add, const double* x) {
  double* total = &total_[feature * padded_];
  double* row = &stored_[slot * padded_];
  const double times = add / factor_;
  for (std::size_t k = 0; k < padded_; ++k) {
    total[k] += add * x[k];
    row[k] += times * x[k];
  }
}

// The totals are summed afresh too: what rounding did to them so far is gone.
void LazyAverage::multiply_out() {
  for (double& value : stored_) value *= factor_;
  factor_ = 1;
  std::fill(total_.begin(), total_.end(), 0.0);
  for (std::size_t f = 0; f + 1 < first_slot_.size(); ++f) {
    for (std::size_t s = first_slot_[f]; s < first_slot_[f + 1]; ++s) {
      for (std::size_t k = 0; k < padded_; ++k) total_[f * padded_ + k] += stored_[s * padded_ + k];
    }
  }
}

std::vector<double> LazyAverage::values() const {
  std::vector<double> out = stored_;
  for (double& value : out) value *= factor_;
  return out;
}

std::vector<double> LazyAverage::state() const {
  std::vector<double> out = {factor_};
  out.insert(out.end(), total_.begin(), total_.end());
  out.insert(out.end(), stored_.begin(), stored_.end());
  return out;
}

void LazyAverage::restore(std::span<const double> state) {
  assert(state.size() == 1 + total_.size() + stored_.size());
  factor_ = state[0];
  std::copy_n(state.begin() + 1, total_.size(), total_.begin());
  std::copy_n(state.begin() + 1 + static_cast<std::ptrdiff_t>(total_.size()), stored_.size(),
              stored_.begin());
}

}  // namespace medley::families
