// SPDX-License-Identifier: Apache-2.0
#include "families/dirichlet_posterior.hpp"

#include <algorithm>

#include "kernels/special_vectors.hpp"
#include "math/special.hpp"

namespace medley::families {
namespace {

// A mean from a file may be so small that digamma would overflow.
constexpr double kLeastLambda = 1e-100;

}  // namespace

DirichletPosterior::DirichletPosterior(std::span<const double> totals)
    : total_(totals.begin(), totals.end()),
      psi_total_(totals.size()),
      log_gamma_total_(kernels::digamma_log_gamma(total_.data(), total_.size(), psi_total_.data())),
      lambda_(totals.size()),
      psi_(totals.size()) {}

double DirichletPosterior::lambda_of(const double* mean) {
  for (std::size_t k = 0; k < lambda_.size(); ++k)
    lambda_[k] = std::max(mean[k] * total_[k], kLeastLambda);
  return kernels::digamma_log_gamma(lambda_.data(), lambda_.size(), psi_.data());
}

void DirichletPosterior::expected_logs(const double* mean, double* out) {
  lambda_of(mean);
  for (std::size_t k = 0; k < psi_.size(); ++k) out[k] = psi_[k] - psi_total_[k];
}

double DirichletPosterior::closeness(const double* mean, double prior) {
  double sum = lambda_of(mean) - static_cast<double>(psi_.size()) * math::log_gamma(prior);
  for (std::size_t k = 0; k < psi_.size(); ++k)
    sum += (prior - lambda_[k]) * (psi_[k] - psi_total_[k]);
  return sum;
}

double DirichletPosterior::closeness(double prior_total) const {
  return static_cast<double>(total_.size()) * math::log_gamma(prior_total) - log_gamma_total_;
}

}  // namespace medley::families
