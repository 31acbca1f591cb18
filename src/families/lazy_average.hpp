// SPDX-License-Identifier: Apache-2.0
// A running average of statistics of which a step changes few rows,
//
//   S <- keep S + add x,     x = 0 but for the slots that the minibatch has
//
// at the cost of those rows: what is stored is S / c with c the product of all keeps so far, so
// that rows without news stay as they are. The sum of every simplex under each component is kept
// beside it. When c becomes small everything is multiplied out once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace medley::families {

class LazyAverage {
 public:
  /// Zero. `first_slot`: where each feature begins, and one past the last; must outlive it.
  LazyAverage(std::span<const std::uint32_t> first_slot, std::size_t padded);

  /// S <- keep S.
  void decay(double keep);
  /// S <- S + add x for one slot of a feature.
  void add(std::size_t feature, std::size_t slot, double add, const double* x);

  /// S_sk of a slot is factor() times this row.
  [[nodiscard]] const double* stored(std::size_t slot) const { return &stored_[slot * padded_]; }
  [[nodiscard]] double factor() const { return factor_; }
  /// sum_s S_sk over the slots of a feature: padded K numbers.
  [[nodiscard]] const double* total(std::size_t feature) const {
    return &total_[feature * padded_];
  }
  /// S multiplied out, slots x padded K.
  [[nodiscard]] std::vector<double> values() const;

  /// All there is, as numbers; and back.
  [[nodiscard]] std::vector<double> state() const;
  void restore(std::span<const double> state);

 private:
  void multiply_out();

  std::span<const std::uint32_t> first_slot_;
  std::size_t padded_;
  double factor_ = 1;
  std::vector<double> total_;   // features x padded K
  std::vector<double> stored_;  // slots x padded K: S / factor
};

}  // namespace medley::families
