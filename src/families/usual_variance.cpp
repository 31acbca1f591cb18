// SPDX-License-Identifier: Apache-2.0
#include "families/usual_variance.hpp"

#include <algorithm>
#include <tuple>

namespace medley::families {
namespace {

// A share at either end, and what lies between in standard deviations of a normal distribution.
struct Middle {
  double end, width;
};
constexpr Middle kMiddles[] = {{0.25, 1.3489795003921634},
                               {0.10, 2.5631031310892007},
                               {0.05, 3.2897072539029440},
                               {0.01, 4.6526957480816830}};

// The first value that has at least `weight` with it and before it.
template <class Iterator>
double value_at(Iterator first, Iterator last, double weight) {
  constexpr double kRounding = 1e-12;  // weights that sum to a quarter do so up to this
  double sum = 0;
  for (Iterator next = first; next != last; ++next) {
    sum += next->weight;
    if (sum >= weight * (1 - kRounding)) return next->value;
  }
  return (last - 1)->value;
}

}  // namespace

double usual_variance(std::vector<WeightedNumber> column, double variance) {
  std::erase_if(column, [](const WeightedNumber& one) { return !(one.weight > 0); });
  if (column.empty()) return variance;
  // The order of equal values too, so that their weights have one sum.
  std::ranges::sort(column, [](const WeightedNumber& a, const WeightedNumber& b) {
    return std::tie(a.value, a.weight) < std::tie(b.value, b.weight);
  });
  double total = 0;
  for (const WeightedNumber& one : column) total += one.weight;
  for (const Middle& middle : kMiddles) {
    const double low = value_at(column.begin(), column.end(), middle.end * total);
    const double high = value_at(column.rbegin(), column.rend(), middle.end * total);
    const double deviation = (high - low) / middle.width;
    if (deviation > 0) return std::min(deviation * deviation, variance);
  }
  return variance;
}

}  // namespace medley::families
