// SPDX-License-Identifier: Apache-2.0
#include "predict/cell_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace medley::predict {
namespace {

// The tolerance of the bisection, relative to the value or to a millionth of the spread.
constexpr double kRelative = 1e-12, kOfSpread = 1e-6;

}  // namespace

std::vector<double> CellMixture::probabilities() const {
  const std::size_t begin = shape_.first_slot[feature_], end = shape_.first_slot[feature_ + 1];
  std::vector<double> p(end - begin, 0.0);
  double sum = 0;
  for (std::size_t s = begin; s < end; ++s) {
    const double* of_slot = &family_.parameters()[s * family_.padded()];
    for (std::size_t k = 0; k < share_.size(); ++k) p[s - begin] += share_[k] * of_slot[k];
    sum += p[s - begin];
  }
  for (double& value : p) value /= sum;  // shares and tables each sum to 1 up to rounding
  return p;
}

families::Moments CellMixture::moments() const {
  families::Moments out;
  std::vector<families::Moments> of(share_.size());
  for (std::size_t k = 0; k < share_.size(); ++k) {
    of[k] = family_.numbers()->moments(feature_, k);
    out.mean += share_[k] * of[k].mean;
  }
  // Var x = E[Var(x | k)] + Var E[x | k], the second around the mixture's mean
  for (std::size_t k = 0; k < share_.size(); ++k) {
    const double off = of[k].mean - out.mean;
    out.variance += share_[k] * (of[k].variance + off * off);
  }
  return out;
}

double CellMixture::cumulative(double value) const {
  double p = 0;
  for (std::size_t k = 0; k < share_.size(); ++k)
    p += share_[k] * family_.numbers()->cumulative(feature_, k, value);
  return p;
}

// Finds cumulative(low) < q <= cumulative(high), starting one spread from the mean and doubling the
// step. If no finite number reaches q, returns the last one tried.
CellMixture::Bracket CellMixture::bracket(double q) const {
  constexpr double kLast = std::numeric_limits<double>::max();
  const families::Moments about = moments();
  const double spread = std::sqrt(about.variance);
  double step = std::isfinite(spread) && spread > 0 ? spread : 1.0;
  const double middle = std::isfinite(about.mean) ? about.mean : 0.0;
  Bracket out{middle - step, middle + step, step};
  for (; out.low > -kLast && cumulative(out.low) >= q; step *= 2) {
    out.high = out.low;
    out.low = std::max(out.low - step, -kLast);
  }
  for (; out.high < kLast && cumulative(out.high) < q; step *= 2) {
    out.low = out.high;
    out.high = std::min(out.high + step, kLast);
  }
  return out;
}

double CellMixture::quantile(double q) const {
  auto [low, high, spread] = bracket(q);
  const bool counts = takes_counts(family_.entry());
  const double shift = shape_.features[feature_].shift;  // counts are shift + 0, 1, 2, ...
  if (counts) {
    low = std::floor(low - shift) + shift;
    high = std::ceil(high - shift) + shift;
  }
  const double enough = kRelative * kOfSpread * spread;
  while (
      high - low >
      (counts ? 1.0 : std::max({enough, kRelative * std::abs(low), kRelative * std::abs(high)}))) {
    double middle = low / 2 + high / 2;
    if (counts) middle = std::floor(middle - shift) + shift;
    if (middle <= low || middle >= high) break;  // neighbours
    (cumulative(middle) >= q ? high : low) = middle;
  }
  return high;
}

bool takes_counts(const families::FamilyEntry& entry) {
  return entry.support == families::Support::counts;
}

std::size_t draw_component(std::span<const double> share, core::Rng& rng) {
  double left = rng.uniform();
  std::size_t last = 0;
  for (std::size_t k = 0; k < share.size(); ++k) {
    if (!(share[k] > 0)) continue;
    last = k;
    left -= share[k];
    if (left < 0) break;
  }
  return last;
}

}  // namespace medley::predict
