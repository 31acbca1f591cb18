// SPDX-License-Identifier: Apache-2.0
#include "math/conjugate.hpp"

#include <cmath>

#include "math/special.hpp"

namespace medley::math {

double mean_log(const GammaBelief& q) {
  return digamma(q.shape) - std::log(q.rate);
}

double divergence(const GammaBelief& q, const GammaBelief& p) {
  return (q.shape - p.shape) * digamma(q.shape) - log_gamma(q.shape) + log_gamma(p.shape) +
         p.shape * std::log(q.rate / p.rate) + q.shape * (p.rate - q.rate) / q.rate;
}

MeanLogs mean_logs(const BetaBelief& q) {
  const double both = digamma(q.a + q.b);
  return {digamma(q.a) - both, digamma(q.b) - both};
}

double divergence(const BetaBelief& q, const BetaBelief& p) {
  const auto log_beta = [](const BetaBelief& of) {
    return log_gamma(of.a) + log_gamma(of.b) - log_gamma(of.a + of.b);
  };
  const MeanLogs mean = mean_logs(q);
  return log_beta(p) - log_beta(q) + (q.a - p.a) * mean.of_x + (q.b - p.b) * mean.of_rest;
}

// The divergence of the precisions, and on average over them that of two normal distributions with
// the same variance up to their weights.
double divergence(const NormalBelief& q, const NormalBelief& p) {
  const double ratio = p.weight / q.weight;
  const double off = q.location - p.location;
  return divergence(GammaBelief{q.shape, q.scale}, GammaBelief{p.shape, p.scale}) +
         0.5 * (ratio - 1 - std::log(ratio) + p.weight * off * off * q.shape / q.scale);
}

}  // namespace medley::math
