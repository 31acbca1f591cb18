// SPDX-License-Identifier: Apache-2.0
// The exact posterior of a small Dirichlet-process mixture: the joint of every partition from
// closed-form marginals, a^K prod_k (n_k - 1)! Gamma(a) / Gamma(a + n) x marginals.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "math/logs.hpp"
#include "samplers/clusters.hpp"
#include "support/all_partitions.hpp"
#include "support/plain_marginal.hpp"
#include "support/toy.hpp"

namespace medley::samplers {

using test::GivenPrior;
using test::some_prior;

struct Exact {
  std::vector<Labels> partition;
  std::vector<double> log_joint, p;
  double log_evidence = 0;
  std::map<Labels, std::size_t> at;  ///< where a partition is
};

inline double exact_log_joint(const Dataset& data, const std::vector<GivenPrior>& priors, double a,
                              const Labels& labels) {
  const double n = static_cast<double>(labels.size());
  double sum = std::lgamma(a) - std::lgamma(a + n);
  const std::uint32_t most = *std::max_element(labels.begin(), labels.end());
  for (std::uint32_t k = 0; k <= most; ++k) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] == k) rows.push_back(i);
    }
    sum += std::log(a) + std::lgamma(static_cast<double>(rows.size()));
    for (std::size_t b = 0; b < data.blocks.size(); ++b)
      sum += test::plain_marginal(data.blocks[b], rows, priors[b].plain);
  }
  return sum;
}

inline Exact exact_posterior(const Dataset& data, const std::vector<GivenPrior>& priors, double a) {
  Exact out;
  out.partition = test::all_partitions(data.rows);
  for (const Labels& labels : out.partition) {
    out.at[labels] = out.log_joint.size();
    out.log_joint.push_back(exact_log_joint(data, priors, a, labels));
  }
  out.log_evidence = math::log_sum_exp(out.log_joint);
  for (const double joint : out.log_joint) out.p.push_back(std::exp(joint - out.log_evidence));
  return out;
}

}  // namespace medley::samplers
