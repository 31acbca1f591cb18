// SPDX-License-Identifier: Apache-2.0
// The gamma prior of exponential rates, Gamma(a, b) with rate b. With m cells of sum s in the
// cluster, A = a + m, B = b + s:
//
//   log predictive   log A + A log B - (A + 1) log(B + x) = log(A / B) - (A + 1) log(1 + x / B)
//   log marginal     a log b - lnG(a) + lnG(A) - A log B
//
// The table has per feature log(A / B), A + 1 and 1 / B.
#include <algorithm>
#include <cmath>

#include "families/conjugate_prior.hpp"
#include "families/conjugate_scalars.hpp"
#include "math/special.hpp"

namespace medley::families {
namespace {

constexpr double kLeastExponentialRate = 1e-110, kMostRate = 1e110;  // as the family has them

class ExponentialRates final : public ScalarConjugate {
 public:
  ExponentialRates(const Block& block, std::vector<double> prior)
      : ScalarConjugate(block, {2, 3, 1}, std::move(prior)) {}

 protected:
  [[nodiscard]] double marginal(std::size_t f, const Sums& sums) const override {
    const double a = prior_of(f, 0), b = prior_of(f, 1);
    return a * std::log(b) - math::log_gamma(a) + math::log_gamma(a + sums[0]) -
           (a + sums[0]) * std::log(b + sums[1]);
  }

  [[nodiscard]] Row table_row(std::size_t f, const Sums& sums) const override {
    const double a = prior_of(f, 0) + sums[0], b = prior_of(f, 1) + sums[1];
    return {std::log(a / b), a + 1, 1 / b, 0};
  }

  void add_predictives(std::size_t /*feature*/, double u, const ClusterView& table,
                       double* total) const override {
    const double* constant = table.table;
    const double* exponent = constant + table.stride;
    const double* inverse = exponent + table.stride;
    for (std::size_t k = 0; k < table.count; ++k)
      total[k] += constant[k] - exponent[k] * std::log1p(u * inverse[k]);
  }

  [[nodiscard]] Own drawn(std::size_t f, const Sums& sums, core::Rng& rng) const override {
    const double rate = rng.gamma(prior_of(f, 0) + sums[0]) / (prior_of(f, 1) + sums[1]);
    return {std::clamp(rate, kLeastExponentialRate, kMostRate), 0};
  }

  [[nodiscard]] Own mean(std::size_t f, const Sums& sums) const override {
    const double rate = (prior_of(f, 0) + sums[0]) / (prior_of(f, 1) + sums[1]);
    return {std::clamp(rate, kLeastExponentialRate, kMostRate), 0};
  }
};

}  // namespace

std::unique_ptr<Conjugate> exponential_conjugate(const Block& block,
                                                 std::span<const double> prior) {
  std::vector<double> all;
  if (prior.empty()) {
    for (const ColumnMoments& column : column_moments(block, [](double x) { return x; }, true))
      all.insert(all.end(), {1.0, column.mean});
  } else {
    all = spread_prior(block, prior, 2, block.slots());
  }
  return std::make_unique<ExponentialRates>(block, std::move(all));
}

}  // namespace medley::families
