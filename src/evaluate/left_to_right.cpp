// SPDX-License-Identifier: Apache-2.0
#include "evaluate/left_to_right.hpp"

#include <cmath>
#include <numeric>
#include <vector>

namespace medley::evaluation {
namespace {

// Every token of the row as the place of its likelihood row, in random order.
std::vector<std::size_t> shuffled_tokens(const RowObservations& row, core::Rng& rng) {
  std::vector<std::size_t> tokens;
  for (std::size_t o = 0; o < row.count(); ++o)
    tokens.insert(tokens.end(), static_cast<std::size_t>(row.weight[o]), o);
  for (std::size_t i = tokens.size(); i > 1; --i) std::swap(tokens[i - 1], tokens[rng.below(i)]);
  return tokens;
}

class Particle {
 public:
  Particle(const RowObservations& row, std::span<const double> alpha,
           const std::vector<std::size_t>& tokens, core::Rng& rng)
      : row_(row),
        tokens_(tokens),
        rng_(rng),
        alpha_sum_(std::accumulate(alpha.begin(), alpha.end(), 0.0)),
        urn_(alpha.begin(), alpha.end()),
        odds_(alpha.size()) {}

  // log of the product of predictions.
  double run() {
    double log_product = 0;
    for (std::size_t t = 0; t < tokens_.size(); ++t) {
      for (std::size_t earlier = 0; earlier < t; ++earlier) {
        --urn_[component_[earlier]];
        component_[earlier] = draw(tokens_[earlier]);
        ++urn_[component_[earlier]];
      }
      component_.push_back(draw(tokens_[t]));
      log_product += std::log(total_ / (alpha_sum_ + static_cast<double>(t)));
      ++urn_[component_[t]];
    }
    return log_product;
  }

 private:
  // A component in proportion to l_k (alpha_k + n_k); total_ is the sum of these.
  std::size_t draw(std::size_t observation) {
    const double* l = row_.row(observation);
    total_ = 0;
    for (std::size_t k = 0; k < odds_.size(); ++k) odds_[k] = total_ += l[k] * urn_[k];
    const double at = rng_.uniform() * total_;
    std::size_t k = 0;
    while (k + 1 < odds_.size() && odds_[k] <= at) ++k;
    return k;
  }

  const RowObservations& row_;
  const std::vector<std::size_t>& tokens_;
  core::Rng& rng_;
  double alpha_sum_;
  std::vector<double> urn_;  // alpha_k + n_k
  std::vector<double> odds_;
  double total_ = 0;
  std::vector<std::size_t> component_;
};

}  // namespace

RowEstimate left_to_right(const RowObservations& row, std::span<const double> alpha,
                          std::size_t particles, core::Rng rng) {
  const std::vector<std::size_t> tokens = shuffled_tokens(row, rng);
  std::vector<double> log_weight(particles);
  for (double& weight : log_weight) weight = Particle(row, alpha, tokens, rng).run();
  RowEstimate estimate = log_mean(log_weight);
  estimate.log_likelihood += row.log_scale;
  return estimate;
}

}  // namespace medley::evaluation
