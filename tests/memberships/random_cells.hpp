// SPDX-License-Identifier: Apache-2.0
// Random observations of one row, as a membership wants them: scaled likelihood rows in float, in
// double and as logarithms.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "kernels/lanes.hpp"
#include "memberships/membership.hpp"

namespace medley::test {

class RandomCells {
 public:
  /// As many cells as the pooling leaves: several, one of weight m, or one of weight 1.
  RandomCells(memberships::Pooling pooling, std::size_t components, std::uint64_t seed)
      : components_(components), padded_(kernels::padded(components)) {
    core::Rng rng(seed, 90, components);
    const bool pooled = pooling != memberships::Pooling::none;
    count_ = pooled ? 1 : 1 + rng.below(12);
    likelihood_.assign(count_ * padded_, 0.0);
    for (std::size_t o = 0; o < count_; ++o) {
      weight_.push_back(pooling == memberships::Pooling::sum ? 1.0
                        : pooled                             ? 2.0 + 6 * rng.uniform()
                                                             : 1.0 + 2 * rng.uniform());
      double* row = &likelihood_[o * padded_];
      for (std::size_t k = 0; k < components; ++k) row[k] = std::exp(-3 * rng.uniform());
      const double largest = *std::max_element(row, row + components);
      for (std::size_t k = 0; k < components; ++k) row[k] /= largest;
    }
    refresh();
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] double weight(std::size_t cell) const { return weight_[cell]; }
  [[nodiscard]] double likelihood(std::size_t cell, std::size_t component) const {
    return likelihood_[cell * padded_ + component];
  }
  [[nodiscard]] double total() const {
    double sum = 0;
    for (const double w : weight_) sum += w;
    return sum;
  }

  [[nodiscard]] memberships::Cells<double> in_double() {
    return {likelihood_.data(), weight_.data(), count_, padded_, total(),
            norm_.data(),       scratch_.data()};
  }
  [[nodiscard]] memberships::Cells<double> in_logs() {
    return {log_.data(), weight_.data(), count_, padded_, total(), norm_.data(), scratch_.data()};
  }
  [[nodiscard]] memberships::Cells<float> in_float() {
    return {likelihood_f_.data(), weight_f_.data(), count_, padded_, total(),
            norm_f_.data(),       scratch_f_.data()};
  }

  /// Component k becomes old component order[k].
  void permute(std::span<const std::size_t> order) {
    const std::vector<double> before = likelihood_;
    for (std::size_t o = 0; o < count_; ++o) {
      for (std::size_t k = 0; k < order.size(); ++k)
        likelihood_[o * padded_ + k] = before[o * padded_ + order[k]];
    }
    refresh();
  }

 private:
  void refresh() {
    log_.assign(likelihood_.size(), 0.0);
    for (std::size_t o = 0; o < count_; ++o) {
      for (std::size_t k = 0; k < components_; ++k)
        log_[o * padded_ + k] = std::log(likelihood_[o * padded_ + k]);
    }
    likelihood_f_.assign(likelihood_.size(), 0.0F);
    for (std::size_t i = 0; i < likelihood_.size(); ++i)
      likelihood_f_[i] = static_cast<float>(likelihood_[i]);
    weight_f_.clear();
    for (const double w : weight_) weight_f_.push_back(static_cast<float>(w));
    norm_.resize(count_);
    norm_f_.resize(count_);
    scratch_.resize(memberships::kScratch * padded_);
    scratch_f_.resize(memberships::kScratch * padded_);
  }

  std::size_t components_, padded_, count_ = 0;
  std::vector<double> likelihood_, log_, weight_, norm_, scratch_;
  std::vector<float> likelihood_f_, weight_f_, norm_f_, scratch_f_;
};

}  // namespace medley::test
