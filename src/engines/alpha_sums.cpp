// SPDX-License-Identifier: Apache-2.0
#include "engines/alpha_sums.hpp"

#include <algorithm>

#include "kernels/special_vectors.hpp"
#include "math/special.hpp"

namespace medley::engines {

AlphaSums::AlphaSums(std::span<const double> alpha)
    : alpha_(alpha.begin(), alpha.end()),
      x_(alpha.size()),
      psi_x_(alpha.size()),
      weight_(alpha.size()) {
  for (const double a : alpha_) {
    alpha_0_ += a;
    psi_.push_back(math::digamma(a));
  }
  psi_0_ = math::digamma(alpha_0_);
}

void AlphaSums::add(const float* counts, const float* present, double size, double weight,
                    memberships::PriorStatistics& into) {
  constexpr double kRare = 1e-9;  // as good as none
  for (std::size_t k = 0; k < x_.size(); ++k) {
    weight_[k] = std::max(static_cast<double>(present[k]), kRare);
    x_[k] = std::max(0.0, static_cast<double>(counts[k])) / weight_[k] + alpha_[k];
  }
  kernels::digamma_log_gamma(x_.data(), x_.size(), psi_x_.data());
  for (std::size_t k = 0; k < x_.size(); ++k)
    into.sum[k] += weight * alpha_[k] * weight_[k] * (psi_x_[k] - psi_[k]);
  into.per_alpha =
      into.per_alpha.value_or(0.0) + weight * (math::digamma(size + alpha_0_) - psi_0_);
  into.rows += weight;
}

void add_alpha_sums(const memberships::PriorStatistics& part, memberships::PriorStatistics& into) {
  into.rows += part.rows;
  for (std::size_t k = 0; k < into.sum.size(); ++k) into.sum[k] += part.sum[k];
  if (part.per_alpha) into.per_alpha = into.per_alpha.value_or(0.0) + *part.per_alpha;
}

}  // namespace medley::engines
