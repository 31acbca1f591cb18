// SPDX-License-Identifier: Apache-2.0
#include "memberships/gamma_shares.hpp"

#include <algorithm>
#include <cmath>

namespace medley::memberships {

PriorMoments moments_of_gamma_shares(double a, std::span<const double> rates) {
  const std::size_t count = rates.size();
  const auto [least, most] = std::ranges::minmax_element(rates);
  // The integrand falls like t below the rates, like t^-(a K) above them: to exp(-36) of its size.
  constexpr double kDepth = 36, kStep = 0.25;
  const double below = std::log(*least) - kDepth;
  const double above = std::log(*most) + kDepth / std::min(1.0, a * static_cast<double>(count));
  PriorMoments out{std::vector<double>(count, 0.0), std::vector<double>(count * count, 0.0)};
  std::vector<double> part(count);
  for (double x = below; x <= above; x += kStep) {
    const double t = std::exp(x);
    double log_product = 0;
    for (std::size_t k = 0; k < count; ++k) {
      part[k] = t / (rates[k] + t);
      log_product -= a * std::log1p(t / rates[k]);
    }
    const double weight = kStep * std::exp(log_product);
    for (std::size_t k = 0; k < count; ++k) {
      out.mean[k] += weight * a * part[k];
      for (std::size_t l = 0; l < count; ++l)
        out.product[k * count + l] += weight * a * (a + (k == l ? 1.0 : 0.0)) * part[k] * part[l];
    }
  }
  return out;
}

}  // namespace medley::memberships
