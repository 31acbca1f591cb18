// SPDX-License-Identifier: Apache-2.0
// What an E-step gives, and all that an M-step needs: sums over rows. Those of two sets of rows add
// up to those of both; times a number they stand for as many times the rows. All of them lie side
// by side in one array,
//
//   bound, observations | prior: rows, per_alpha, sums | label: joint, divided | a table per block
//
// so that one sum over the array of every process (core/reducer.hpp) is the sum over all rows. The
// tables come last and are long; what is before them is a few times K numbers.
//
// Records, which correlated membership keeps of its rows, are no sums: they are beside the array.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "core/reducer.hpp"
#include "heads/softmax.hpp"
#include "memberships/membership.hpp"

namespace medley::engines {

struct EmModel;

class Statistics {
 public:
  Statistics() = default;
  /// Zeros for the parameters of this model.
  explicit Statistics(const EmModel& model);
  /// Whether it is of as many parameters as this model has.
  [[nodiscard]] bool fits(const EmModel& model) const;

  [[nodiscard]] double& bound() { return numbers_[0]; }
  [[nodiscard]] double bound() const { return numbers_[0]; }
  /// Weighted cells of the rows.
  [[nodiscard]] double& observations() { return numbers_[1]; }
  [[nodiscard]] double observations() const { return numbers_[1]; }

  /// Of the membership's prior, records included.
  [[nodiscard]] memberships::PriorStatistics prior() const;
  void set_prior(const memberships::PriorStatistics& prior);
  /// Of the label; empty without one.
  [[nodiscard]] heads::Statistics head() const;
  void set_head(const heads::Statistics& head);

  [[nodiscard]] std::size_t blocks() const { return first_.empty() ? 0 : first_.size() - 1; }
  /// In the layout of the block's family.
  [[nodiscard]] std::span<double> table(std::size_t block);
  [[nodiscard]] std::span<const double> table(std::size_t block) const;

  /// All numbers there are: those before the tables, then the tables.
  [[nodiscard]] std::span<double> flat() { return numbers_; }
  [[nodiscard]] std::span<const double> flat() const { return numbers_; }
  [[nodiscard]] std::span<double> totals() { return flat().first(first_[0]); }
  [[nodiscard]] std::span<double> tables() { return flat().subspan(first_[0]); }

  /// Of as many parameters; records are put behind each other.
  void add(const Statistics& other);
  /// Records then stand for so many times as many rows.
  void scale(double factor);
  /// Zeros.
  void clear();

 private:
  core::AlignedVector<double> numbers_;
  std::size_t prior_size_ = 0, joint_size_ = 0, divided_size_ = 0;
  std::vector<std::size_t> first_, size_;  // of every table; first_ has one more: where all end
  bool per_alpha_ = false;                 // the prior's statistics have it
  std::vector<double> records_;
  double records_scale_ = 1;
};

}  // namespace medley::engines
