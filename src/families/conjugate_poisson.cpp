// SPDX-License-Identifier: Apache-2.0
// The gamma prior of poisson rates, Gamma(a, b) with rate b. With m cells of sum s in the cluster,
// A = a + s, B = b + m:
//
//   log predictive   lnG(A + x) - lnG(A) + A log(B / (B + 1)) - x log(B + 1)       base: -log x!
//   log marginal     a log b - lnG(a) + lnG(A) - A log B
//
// The table has per feature s, A log(B / (B + 1)) and log(B + 1).
#include <algorithm>
#include <cmath>

#include "families/conjugate_prior.hpp"
#include "families/conjugate_scalars.hpp"
#include "families/scalars.hpp"
#include "math/special.hpp"

namespace medley::families {
namespace {

constexpr double kLeastDrawnRate = 1e-8;  // as the family has it

class PoissonRates final : public ScalarConjugate {
 public:
  PoissonRates(const Block& block, std::vector<double> prior)
      : ScalarConjugate(block, {2, 3, 1}, std::move(prior)), tables_(largest_sum(block)) {
    for (std::size_t f = 0; f < block.slots(); ++f) table_.push_back(tables_.at(prior_of(f, 0)));
  }

 protected:
  [[nodiscard]] double base(double x) const override { return -math::log_gamma(x + 1); }

  [[nodiscard]] double marginal(std::size_t f, const Sums& sums) const override {
    const double a = prior_of(f, 0), b = prior_of(f, 1);
    return a * std::log(b) + table_[f]->log_rise(0, sums[1]) -
           (a + sums[1]) * std::log(b + sums[0]);
  }

  [[nodiscard]] Row table_row(std::size_t f, const Sums& sums) const override {
    const double b = prior_of(f, 1) + sums[0];
    return {sums[1], -(prior_of(f, 0) + sums[1]) * std::log1p(1 / b), std::log(b + 1), 0};
  }

  void add_predictives(std::size_t feature, double u, const ClusterView& table,
                       double* total) const override {
    const double* sum = table.table;
    const double* constant = sum + table.stride;
    const double* slope = constant + table.stride;
    for (std::size_t k = 0; k < table.count; ++k)
      total[k] += table_[feature]->log_rise(sum[k], u) + constant[k] - u * slope[k];
  }

  [[nodiscard]] Own drawn(std::size_t f, const Sums& sums, core::Rng& rng) const override {
    const double rate = rng.gamma(prior_of(f, 0) + sums[1]) / (prior_of(f, 1) + sums[0]);
    return {std::clamp(rate, kLeastDrawnRate, kMostCount), 0};
  }

  [[nodiscard]] Own mean(std::size_t f, const Sums& sums) const override {
    const double rate = (prior_of(f, 0) + sums[1]) / (prior_of(f, 1) + sums[0]);
    return {std::clamp(rate, kLeastDrawnRate, kMostCount), 0};
  }

 private:
  RisingTables tables_;
  std::vector<const math::RisingTable*> table_;  // per feature
};

}  // namespace

std::unique_ptr<Conjugate> poisson_conjugate(const Block& block, std::span<const double> prior) {
  std::vector<double> all;
  if (prior.empty()) {
    for (const ColumnMoments& column : column_moments(block, [](double x) { return x; }, true))
      all.insert(all.end(), {1.0, 1 / column.mean});
  } else {
    all = spread_prior(block, prior, 2, block.slots());
  }
  return std::make_unique<PoissonRates>(block, std::move(all));
}

}  // namespace medley::families
