// SPDX-License-Identifier: Apache-2.0
// Poisson: counts of rare events, whole numbers from 0.
//
//   log f(y | component k) = y log rate_k - rate_k - log y!
//
// Use it for visits, purchases, children. The variance equals the mean; for counts that vary much
// more use geometric. Counts from 1 (purchases of those who bought) take a shift of 1.
//
// The posterior of a rate is Gamma(a + sum y, b + observations); its mean is the parameter, b +
// observations the strength. It starts from a = 1 and the column's mean.
#include <algorithm>
#include <array>
#include <cmath>

#include "families/conjugate.hpp"
#include "families/conjugate_scalars.hpp"
#include "families/registry.hpp"
#include "families/scalars.hpp"
#include "math/conjugate.hpp"
#include "math/special.hpp"
#include "medley/error.hpp"

namespace medley::families {
namespace {

constexpr double kLeastPoissonRate = 1e-8;
constexpr double kRatePriorShape = 1;

// The mean of a posterior may be below what a maximum may be.
constexpr ScalarRow kPoissonRows[] = {{"rate", 1e-20, kMostCount, 1, Link::log},
                                      {"mean of a column", 0, kMostCount, 1}};

// log y!; small counts, nearly all there are, from a table.
double log_factorial(double y) {
  constexpr std::size_t kTable = 256;
  static const std::array<double, kTable> table = [] {
    std::array<double, kTable> t{};
    for (std::size_t i = 0; i < kTable; ++i) t[i] = math::log_gamma(static_cast<double>(i) + 1);
    return t;
  }();
  return y >= 0 && y < kTable ? table[integer_of<std::size_t>(y)] : math::log_gamma(y + 1);
}

// Counting steps of the distribution function: for small rates.
double draw_small(double rate, core::Rng& rng) {
  double left = rng.uniform(), probability = std::exp(-rate);
  double count = 0;
  while (left > probability && probability > 0) {
    left -= probability;
    probability *= rate / ++count;
  }
  return count;
}

// Transformed rejection (Hoermann 1993, "The transformed rejection method for generating Poisson
// random variables", algorithm PTRS), for rates from 10. With the constants as printed the hat is
// up to 0.6 % too low and the squeeze up to 0.6 % too high at some rates; 1 % and 2 % of margin
// make it exact.
double draw_large(double rate, core::Rng& rng) {
  const double b = 0.931 + 2.53 * std::sqrt(rate);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.01 * (1.1239 + 1.1328 / (b - 3.4));
  const double squeeze = (0.9277 - 3.6224 / (b - 2)) / 1.02;
  while (true) {
    const double u = rng.uniform() - 0.5;
    const double v = rng.uniform();
    const double us = 0.5 - std::abs(u);
    const double count = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= squeeze) return count;
    if (count < 0 || (us < 0.013 && v > us)) continue;
    const double height = std::log(v * inverse_alpha / (a / (us * us) + b));
    if (height <= count * std::log(rate) - rate - log_factorial(count)) return count;
  }
}

class Poisson final : public Scalars {
 public:
  Poisson(const Block& shape, std::size_t components)
      : Scalars(poisson_family, shape, components, kPoissonRows, Form::linear) {}

 protected:
  [[nodiscard]] Terms terms(double x) const override { return {-log_factorial(x), x, 0}; }
  [[nodiscard]] Coefficients coefficients(const Pair& p) const override {
    return {-p[0], std::log(p[0]), 0};
  }
  [[nodiscard]] Pair maximum(const Pair& average, const Reference& /*reference*/) const override {
    return {std::max(average[0], kLeastPoissonRate), 0};
  }
  [[nodiscard]] Moments moments_of(const Pair& p) const override { return {p[0], p[0]}; }
  [[nodiscard]] double below(const Pair& p, double x) const override {
    return x < 0 ? 0.0 : math::gamma_above(std::floor(x) + 1, p[0]);
  }
  [[nodiscard]] double drawn(const Pair& p, core::Rng& rng) const override {
    return p[0] < 10 ? draw_small(p[0], rng) : draw_large(p[0], rng);
  }
  [[nodiscard]] std::array<Coefficients, 2> slopes(const Pair& p) const override {
    return {{{-p[0], 1, 0}, {}}};
  }
  [[nodiscard]] Range range(std::size_t /*row*/, const Reference& /*reference*/) const override {
    return {kLeastPoissonRate, kMostCount};
  }
  [[nodiscard]] Belief prior(const Reference& reference) const override {
    const double mean = std::max(reference[0], kLeastPoissonRate);
    return {{mean, 0}, {kRatePriorShape / mean, 0}};
  }
  [[nodiscard]] Belief learnt(const Belief& before, const Sums& sums,
                              const Reference& /*reference*/) const override {
    const math::GammaBelief prior = gamma(before);
    const double rate = prior.rate + sums.r;
    return {{(prior.shape + sums.u1) / rate, 0}, {rate, 0}};
  }
  [[nodiscard]] Coefficients expected(const Belief& belief) const override {
    return {-belief.mean[0], math::mean_log(gamma(belief)), 0};
  }
  [[nodiscard]] double divergence(const Belief& belief, const Belief& from) const override {
    return math::divergence(gamma(belief), gamma(from));
  }

 private:
  static math::GammaBelief gamma(const Belief& b) {
    return {b.mean[0] * b.strength[0], b.strength[0]};
  }
};

double suits_poisson(const data::ColumnFacts& facts, std::string& why) {
  if (facts.kind == SourceKind::tokens || !facts.integer || facts.distinct <= 2) return 0;
  const bool from_zero = facts.minimum >= 0 && facts.minimum <= 1;
  const bool spread = facts.variance >= 0.3 * facts.mean && facts.variance <= 3 * facts.mean;
  if (!from_zero || facts.mean > 30 || !(facts.mean > 0) || !spread) return 0;
  why = "counts, " + range_of(facts);
  return 0.4;
}

std::string poisson_refusal(double value) {
  const std::string takes = "; poisson takes whole numbers from 0";
  if (value < 0) return "is below 0" + takes;
  if (value != std::floor(value)) return "is not a whole number" + takes;
  return value <= kMostCount ? "" : "is too large" + takes + " to 1e15";
}

}  // namespace

const FamilyEntry poisson_family = {
    .name = "poisson",
    .summary = "counts",
    .encoding = Encoding::real,
    .support = Support::counts,
    .suits = suits_poisson,
    .objection = [](const data::ColumnFacts& facts) { return scalar_objection(facts, "poisson"); },
    .refusal = poisson_refusal,
    .make = [](const Block& shape, std::size_t k) -> std::unique_ptr<Family> {
      return std::make_unique<Poisson>(shape, k);
    },
    .fields = [](const Family& family,
                 std::size_t feature) { return scalar_fields(family, feature, true); },
    .invalid_reason = invalid_scalar_reason,
    .posterior = true,
    .conjugate = poisson_conjugate};

// The gamma prior of poisson rates, Gamma(a, b) with rate b. With m cells of sum s in the cluster,
// A = a + s, B = b + m:
//
//   log predictive   lnG(A + x) - lnG(A) + A log(B / (B + 1)) - x log(B + 1)       base: -log x!
//   log marginal     a log b - lnG(a) + lnG(A) - A log B
//
// The table has per feature s, A log(B / (B + 1)) and log(B + 1).

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
