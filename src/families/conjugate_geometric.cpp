// SPDX-License-Identifier: Apache-2.0
// The beta prior of geometric probabilities, Beta(a, b). With m cells of sum s in the cluster:
//
//   log predictive   lnBeta(a + m + 1, b + s + x) - lnBeta(a + m, b + s)
//                    = log(a + m) + log of b + s rising x - log of a + b + m + s rising x + 1
//   log marginal     lnBeta(a + m, b + s) - lnBeta(a, b)
//
// The table has per feature log(a + m), s and m + s.
#include <algorithm>
#include <cmath>

#include "families/conjugate_prior.hpp"
#include "families/conjugate_scalars.hpp"

namespace medley::families {
namespace {

constexpr double kLeastDrawnP = 1e-9;  // as the family has it

class GeometricShares final : public ScalarConjugate {
 public:
  GeometricShares(const Block& block, std::vector<double> prior)
      : ScalarConjugate(block, {2, 3, 1}, std::move(prior)), tables_(largest_sum(block)) {
    for (std::size_t f = 0; f < block.slots(); ++f) {
      success_.push_back(tables_.at(prior_of(f, 0)));
      failure_.push_back(tables_.at(prior_of(f, 1)));
      trial_.push_back(tables_.at(prior_of(f, 0) + prior_of(f, 1)));
    }
  }

 protected:
  [[nodiscard]] double marginal(std::size_t f, const Sums& sums) const override {
    return success_[f]->log_rise(0, sums[0]) + failure_[f]->log_rise(0, sums[1]) -
           trial_[f]->log_rise(0, sums[0] + sums[1]);
  }

  [[nodiscard]] Row table_row(std::size_t f, const Sums& sums) const override {
    return {success_[f]->log_at(sums[0]), sums[1], sums[0] + sums[1], 0};
  }

  void add_predictives(std::size_t feature, double u, const ClusterView& table,
                       double* total) const override {
    const double* constant = table.table;
    const double* failures = constant + table.stride;
    const double* trials = failures + table.stride;
    for (std::size_t k = 0; k < table.count; ++k)
      total[k] += constant[k] + failure_[feature]->log_rise(failures[k], u) -
                  trial_[feature]->log_rise(trials[k], u + 1);
  }

  [[nodiscard]] Own drawn(std::size_t f, const Sums& sums, core::Rng& rng) const override {
    const double success = rng.gamma(prior_of(f, 0) + sums[0]);
    const double failure = rng.gamma(prior_of(f, 1) + sums[1]);
    return {std::clamp(success / (success + failure), kLeastDrawnP, 1 - kLeastDrawnP), 0};
  }

  [[nodiscard]] Own mean(std::size_t f, const Sums& sums) const override {
    const double success = prior_of(f, 0) + sums[0], failure = prior_of(f, 1) + sums[1];
    return {std::clamp(success / (success + failure), kLeastDrawnP, 1 - kLeastDrawnP), 0};
  }

 private:
  RisingTables tables_;
  std::vector<const math::RisingTable*> success_, failure_, trial_;  // per feature
};

}  // namespace

std::unique_ptr<Conjugate> geometric_conjugate(const Block& block, std::span<const double> prior) {
  const double flat[] = {1, 1};
  return std::make_unique<GeometricShares>(
      block, spread_prior(block, prior.empty() ? flat : prior, 2, block.slots()));
}

}  // namespace medley::families
