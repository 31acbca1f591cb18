// SPDX-License-Identifier: Apache-2.0
// Exponential: numbers from 0, most of them small.
//
//   log f(x | component k) = log rate_k - rate_k x
//
// Use it for waiting times and for amounts with zeros among them. The spread equals the mean; gamma
// has a parameter more and no zeros. Never inferred: ask for it with --column.
//
// The posterior of a rate is Gamma(a + observations, b + sum x); its mean is the parameter, a +
// observations the strength. It starts from one imagined observation, the column's mean.
#include <algorithm>
#include <cmath>

#include "families/conjugate.hpp"
#include "families/conjugate_scalars.hpp"
#include "families/registry.hpp"
#include "families/scalars.hpp"
#include "math/conjugate.hpp"
#include "math/special.hpp"

namespace medley::families {
namespace {

// A component's mean is at least this small and at most this large a multiple of the column's: one
// that holds nothing but zeros would have an infinite density there.
constexpr double kFarthest = 1e8;

constexpr ScalarRow kExponentialRows[] = {{"rate", 1e-110, 1e110, 1, Link::log},
                                          {"mean of a column", 1e-100, 1e100, 1}};

class Exponential final : public Scalars {
 public:
  Exponential(const Block& shape, std::size_t components)
      : Scalars(exponential_family, shape, components, kExponentialRows, Form::linear) {}

 protected:
  [[nodiscard]] Terms terms(double x) const override { return {0, x, 0}; }
  [[nodiscard]] Coefficients coefficients(const Pair& p) const override {
    return {std::log(p[0]), -p[0], 0};
  }
  // log rate - rate x has one maximum, so that the nearest allowed mean is the best one.
  [[nodiscard]] Pair maximum(const Pair& average, const Reference& reference) const override {
    return {1 / std::clamp(average[0], reference[0] / kFarthest, reference[0] * kFarthest), 0};
  }
  [[nodiscard]] Moments moments_of(const Pair& p) const override {
    return {1 / p[0], 1 / (p[0] * p[0])};
  }
  [[nodiscard]] double below(const Pair& p, double x) const override {
    return x <= 0 ? 0.0 : -std::expm1(-p[0] * x);
  }
  [[nodiscard]] double drawn(const Pair& p, core::Rng& rng) const override {
    return -std::log(rng.uniform()) / p[0];
  }
  [[nodiscard]] std::array<Coefficients, 2> slopes(const Pair& p) const override {
    return {{{1, -p[0], 0}, {}}};
  }
  [[nodiscard]] Range range(std::size_t /*row*/, const Reference& reference) const override {
    return {1 / (reference[0] * kFarthest), kFarthest / reference[0]};
  }
  [[nodiscard]] Belief prior(const Reference& reference) const override {
    return {{1 / reference[0], 0}, {1, 0}};
  }
  [[nodiscard]] Belief learnt(const Belief& before, const Sums& sums,
                              const Reference& /*reference*/) const override {
    const math::GammaBelief prior = gamma(before);
    const double shape = prior.shape + sums.r;
    return {{shape / (prior.rate + sums.u1), 0}, {shape, 0}};
  }
  [[nodiscard]] Coefficients expected(const Belief& belief) const override {
    return {math::mean_log(gamma(belief)), -belief.mean[0], 0};
  }
  [[nodiscard]] double divergence(const Belief& belief, const Belief& from) const override {
    return math::divergence(gamma(belief), gamma(from));
  }

 private:
  static math::GammaBelief gamma(const Belief& b) {
    return {b.strength[0], b.strength[0] / b.mean[0]};
  }
};

std::string exponential_refusal(double value) {
  if (value < 0) return "is below 0; exponential takes numbers from 0";
  return value <= kMostNumber ? "" : "is too large; exponential takes numbers up to 1e100";
}

}  // namespace

const FamilyEntry exponential_family = {
    .name = "exponential",
    .summary = "waiting times, amounts with zeros",
    .encoding = Encoding::real,
    .support = Support::not_negative,
    .suits = [](const data::ColumnFacts&, std::string&) { return 0.0; },
    .objection =
        [](const data::ColumnFacts& facts) { return scalar_objection(facts, "exponential"); },
    .refusal = exponential_refusal,
    .make = [](const Block& shape, std::size_t k) -> std::unique_ptr<Family> {
      return std::make_unique<Exponential>(shape, k);
    },
    .fields = [](const Family& family,
                 std::size_t feature) { return scalar_fields(family, feature); },
    .invalid_reason = invalid_scalar_reason,
    .posterior = true,
    .conjugate = exponential_conjugate};

// The gamma prior of exponential rates, Gamma(a, b) with rate b. With m cells of sum s in the
// cluster, A = a + m, B = b + s:
//
//   log predictive   log A + A log B - (A + 1) log(B + x) = log(A / B) - (A + 1) log(1 + x / B)
//   log marginal     a log b - lnG(a) + lnG(A) - A log B
//
// The table has per feature log(A / B), A + 1 and 1 / B.

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
