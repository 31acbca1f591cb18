// SPDX-License-Identifier: Apache-2.0
// Mean, variance and skewness of numbers that occur several times each.
//
//   mean m = sum c_i x_i / n,  m_r = sum c_i (x_i - m)^r / n,  n = sum c_i
//   variance m_2, skewness m_3 / m_2^(3/2); the skewness of equal numbers is 0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace medley::data {

/// A number and how often it occurs.
using CountedNumber = std::pair<double, std::size_t>;

struct NumberMoments {
  double mean = 0, variance = 0, skewness = 0;
};

/// All 0 for no numbers. Finite numbers give a finite mean and skewness, however large they are.
[[nodiscard]] NumberMoments moments_of(const std::vector<CountedNumber>& numbers);

}  // namespace medley::data
