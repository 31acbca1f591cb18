// SPDX-License-Identifier: Apache-2.0
#include "families/dirichlet_tables.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/special_vectors.hpp"
#include "math/special.hpp"

namespace medley::families {
namespace {

// Rarer counts are as good as none.
constexpr double kRare = 1e-9;

}  // namespace

Evidence evidence(const CountTables& tables, double e) {
  const std::size_t components = tables.components;
  const auto many = static_cast<double>(components);
  std::vector<double> total(components), x(components), psi(components), weight(components, 1.0);
  std::vector<double> log_gammas(components);
  const double least = math::log_gamma(e), least_psi = math::digamma(e);
  Evidence out;
  for (std::size_t f = 0; f + 1 < tables.first_slot.size(); ++f) {
    std::ranges::fill(total, 0.0);
    for (std::size_t s = tables.first_slot[f]; s < tables.first_slot[f + 1]; ++s) {
      const double* c = &tables.counts[s * tables.padded];
      for (std::size_t k = 0; k < components; ++k) {
        // an average recalled from a model may lie below 0 by less than the smoothing
        const double count = std::max(c[k], 0.0);
        total[k] += count;
        if (!tables.present.empty())
          weight[k] = std::max(static_cast<double>(tables.present[s * tables.padded + k]), kRare);
        x[k] = count / weight[k] + e;
      }
      kernels::digamma_and_log_gamma(x.data(), components, psi.data(), log_gammas.data());
      for (std::size_t k = 0; k < components; ++k) {
        out.value += weight[k] * (log_gammas[k] - least);
        out.rise += weight[k] * (psi[k] - least_psi);
      }
    }
    const auto slots = static_cast<double>(tables.first_slot[f + 1] - tables.first_slot[f]);
    out.value += many * math::log_gamma(slots * e);
    for (double& n : total) n += slots * e;
    out.value -= kernels::digamma_log_gamma(total.data(), components, psi.data());
    for (const double p : psi) out.fall += slots * p;
    out.fall -= many * slots * math::digamma(slots * e);
  }
  return out;
}

double better_smoothing(const CountTables& tables, double e) {
  constexpr int kHalvings = 8;
  const Evidence now = evidence(tables, e);
  if (!(now.rise > 0) || !(now.fall > 0)) return e;
  double next = std::clamp(e * now.rise / now.fall, kLeastSmoothing, kMostSmoothing);
  for (int i = 0; i < kHalvings; ++i, next = std::sqrt(next * e)) {
    if (evidence(tables, next).value >= now.value) return next;
  }
  return e;
}

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

double DirichletPosterior::negative_divergence(const double* mean, double prior) {
  double sum = lambda_of(mean) - static_cast<double>(psi_.size()) * math::log_gamma(prior);
  for (std::size_t k = 0; k < psi_.size(); ++k)
    sum += (prior - lambda_[k]) * (psi_[k] - psi_total_[k]);
  return sum;
}

double DirichletPosterior::negative_divergence(double prior_total) const {
  return static_cast<double>(total_.size()) * math::log_gamma(prior_total) - log_gamma_total_;
}

}  // namespace medley::families
