// SPDX-License-Identifier: Apache-2.0
// A row under mixed membership, by adding up every assignment z of components to its observations:
//
//   p(x, z) = prod_o l_o,z_o B(alpha + n(z)) / B(alpha)
//
// K^m terms: the truth for small rows, found without the lattice.
#pragma once

#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "math/dirichlet.hpp"
#include "math/special.hpp"

namespace medley::test {

struct AllAssignments {
  double log_p = 0;
  std::vector<std::vector<double>>
      responsibility;                         ///< per observation and component: p(z_o = k | x)
  std::map<std::vector<int>, double> counts;  ///< p(n | x)
  std::vector<double> share;                  ///< E[theta | x]
  std::vector<double> alpha_gradient;         ///< d log p(x) / d alpha
};

/// l[o][k]; an observation that occurs twice is given twice.
inline AllAssignments all_assignments(const std::vector<std::vector<double>>& l,
                                      const std::vector<double>& alpha) {
  const std::size_t components = alpha.size();
  const double sum = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  const double m = static_cast<double>(l.size());
  AllAssignments out;
  out.responsibility.assign(l.size(), std::vector<double>(components, 0.0));
  out.share.assign(components, 0.0);
  out.alpha_gradient.assign(components, 0.0);
  double p = 0;
  std::vector<std::size_t> z(l.size(), 0);
  for (bool more = true; more;) {
    std::vector<double> counted = alpha;
    std::vector<int> n(components, 0);
    double joint = 1;
    for (std::size_t o = 0; o < l.size(); ++o) {
      joint *= l[o][z[o]];
      counted[z[o]] += 1;
      ++n[z[o]];
    }
    joint *= std::exp(math::log_beta(counted) - math::log_beta(alpha));
    p += joint;
    out.counts[n] += joint;
    for (std::size_t o = 0; o < l.size(); ++o) out.responsibility[o][z[o]] += joint;
    for (std::size_t k = 0; k < components; ++k) {
      out.share[k] += joint * counted[k] / (sum + m);
      out.alpha_gradient[k] += joint * (math::digamma(counted[k]) - math::digamma(alpha[k]) -
                                        math::digamma(sum + m) + math::digamma(sum));
    }
    more = false;
    for (std::size_t o = 0; o < z.size() && !more; ++o) {
      z[o] = (z[o] + 1) % components;
      more = z[o] != 0;
    }
  }
  out.log_p = std::log(p);
  for (auto& row : out.responsibility)
    for (double& r : row) r /= p;
  for (auto& [n, value] : out.counts) value /= p;
  for (double& v : out.share) v /= p;
  for (double& v : out.alpha_gradient) v /= p;
  return out;
}

}  // namespace medley::test
