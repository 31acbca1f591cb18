// SPDX-License-Identifier: Apache-2.0
#include "data/moments.hpp"

#include <algorithm>
#include <cmath>

namespace medley::data {

NumberMoments moments_of(const std::vector<CountedNumber>& numbers) {
  double largest = 0, total = 0;
  for (const auto& [value, count] : numbers) {
    largest = std::max(largest, std::abs(value));
    total += static_cast<double>(count);
  }
  NumberMoments moments;
  if (!(largest > 0)) return moments;
  // Everything in units of the largest number: neither sums nor cubes overflow.
  double mean = 0, second = 0, third = 0;
  for (const auto& [value, count] : numbers) {
    mean += value / largest * (static_cast<double>(count) / total);
  }
  for (const auto& [value, count] : numbers) {
    const double off = value / largest - mean;
    const double share = static_cast<double>(count) / total;
    second += share * off * off;
    third += share * off * off * off;
  }
  moments.mean = mean * largest;
  // Equal numbers differ from their mean by rounding alone, which has no direction to speak of.
  constexpr double kRounding = 1e-14;
  if (std::sqrt(second) <= kRounding) return moments;
  moments.variance = second * largest * largest;
  moments.skewness = third / (second * std::sqrt(second));
  return moments;
}

}  // namespace medley::data
