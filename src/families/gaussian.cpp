// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "families/conjugate.hpp"
#include "families/conjugate_scalars.hpp"
#include "families/registry.hpp"
#include "families/scalars.hpp"
#include "math/conjugate.hpp"
#include "math/special.hpp"

namespace medley::families {
namespace {

// The prior of a posterior: a component's mean lies within a few of its own standard deviations of
// the column's, its variance is about a quarter of the column's.
constexpr double kPriorWeight = 0.1, kVariancePriorShape = 2, kPriorVariance = 0.25;

constexpr ScalarRow kGaussianRows[] = {{"mu", -kMostNumber, kMostNumber, 0, Link::location},
                                       {"var", 1e-210, 1e210, 1, Link::log},
                                       {"mean of a column", -kMostNumber, kMostNumber, 0},
                                       {"variance of a column", 1e-200, 1e210, 1}};

double suits_gaussian(const data::ColumnFacts& facts, std::string& why) {
  if (facts.kind == SourceKind::tokens || !facts.numeric || facts.distinct <= 2) return 0;
  why = "numbers, " + range_of(facts);
  return 0.1;  // every family that has something to say about the column goes first
}

std::string gaussian_refusal(double value) {
  return std::abs(value) <= kMostNumber ? "" : "is too large; gaussian takes numbers up to 1e100";
}

}  // namespace

Gaussian::Gaussian(const FamilyEntry& entry, const Block& shape, std::size_t components)
    : Scalars(entry, shape, components, kGaussianRows, Form::curved) {}

Scalars::Coefficients Gaussian::coefficients(const Pair& p) const {
  return {-0.5 * std::log(2 * std::numbers::pi * p[1]), p[0], -0.5 / p[1]};
}

Scalars::Pair Gaussian::maximum(const Pair& average, const Reference& reference) const {
  return {reference[0] + average[0],
          std::max(average[1] - average[0] * average[0], reference.floor)};
}

Scalars::Range Gaussian::range(std::size_t row, const Reference& reference) const {
  const double least = row == 0 ? kGaussianRows[row].least : reference.floor;
  return {least, kGaussianRows[row].most};
}

Scalars::Belief Gaussian::prior(const Reference& reference) const {
  const double scale = kPriorVariance * reference[1] * (kVariancePriorShape - 1);
  return {{reference[0], scale / kVariancePriorShape}, {kPriorWeight, kVariancePriorShape}};
}

// Locations as distances from the column's mean, around which the sums are.
Scalars::Belief Gaussian::learnt(const Belief& before, const Sums& sums,
                                 const Reference& reference) const {
  const double start = before.mean[0] - reference[0];
  const double weight = before.strength[0] + sums.r;
  const double shape = before.strength[1] + 0.5 * sums.r;
  const double at = (before.strength[0] * start + sums.u1) / weight;
  const double spread =
      std::max(0.0, sums.u2 + before.strength[0] * start * start - weight * at * at);
  const double scale = before.mean[1] * before.strength[1] + 0.5 * spread;
  return {{reference[0] + at, scale / shape}, {weight, shape}};
}

Scalars::Coefficients Gaussian::expected(const Belief& belief) const {
  const auto [weight, shape] = belief.strength;
  const double log_variance = std::log(belief.mean[1] * shape) - math::digamma(shape);
  return {-0.5 * (std::log(2 * std::numbers::pi) + log_variance + 1 / weight), belief.mean[0],
          -0.5 / belief.mean[1]};
}

double Gaussian::divergence(const Belief& belief, const Belief& from) const {
  const auto normal = [](const Belief& b) {
    return math::NormalBelief{b.mean[0], b.strength[0], b.strength[1], b.mean[1] * b.strength[1]};
  };
  return math::divergence(normal(belief), normal(from));
}

double Gaussian::below(const Pair& p, double x) const {
  return 0.5 * std::erfc((p[0] - x) / std::sqrt(2 * p[1]));
}

double Gaussian::drawn(const Pair& p, core::Rng& rng) const {
  return p[0] + std::sqrt(p[1]) * rng.normal();
}

const FamilyEntry gaussian_family = {
    .name = "gaussian",
    .summary = "real numbers",
    .encoding = Encoding::real,
    .support = Support::numbers,
    .suits = suits_gaussian,
    .objection = [](const data::ColumnFacts& facts) { return scalar_objection(facts, "gaussian"); },
    .refusal = gaussian_refusal,
    .make = [](const Block& shape, std::size_t k) -> std::unique_ptr<Family> {
      return std::make_unique<Gaussian>(gaussian_family, shape, k);
    },
    .fields = [](const Family& family,
                 std::size_t feature) { return scalar_fields(family, feature); },
    .invalid_reason = invalid_scalar_reason,
    .posterior = true,
    .conjugate = gaussian_conjugate};

// The normal-inverse-gamma prior of gaussian and lognormal: variance ~ IG(a0, b0), mean ~ N(m0,
// variance / kappa0). With m cells of mean xbar and squares Q about it,
//
//   kappa = kappa0 + m,  A = a0 + m/2,  M = (kappa0 m0 + m xbar) / kappa,
//   B = b0 + Q/2 + kappa0 m (xbar - m0)^2 / (2 kappa)
//   predictive     Student t, 2A degrees of freedom about M, scale^2 B (kappa + 1) / (A kappa):
//     log p = lnG(A + 1/2) - lnG(A) - 1/2 log(2 pi B (kappa + 1) / kappa)
//             - (A + 1/2) log(1 + (x - M)^2 kappa / (2 B (kappa + 1)))
//   log marginal   lnG(A) - lnG(a0) + a0 log b0 - A log B + 1/2 log(kappa0 / kappa)
//                  - m/2 log 2 pi
//
// The table has per feature the constant of log p, M, kappa / (2 B (kappa + 1)) and A + 1/2.

namespace {

constexpr double kKappa = 0.1, kShape = 2;  // of the default prior
constexpr double kLeastVariance = 1e-210, kMostVariance = 1e210;

double itself(double x) {
  return x;
}

double logarithm(double x) {
  return std::log(std::max(x, kLeastNumber));  // as the lognormal family has it
}

class NormalInverseGamma final : public ScalarConjugate {
 public:
  NormalInverseGamma(const Block& block, std::vector<double> prior, double (*of)(double))
      : ScalarConjugate(block, {3, 4, 2}, std::move(prior)), term_(of) {
    const std::vector<ColumnMoments> columns = column_moments(block, of, false);
    for (std::size_t f = 0; f < centre_.size(); ++f) centre_[f] = columns[f].mean;
  }

 protected:
  [[nodiscard]] double term(double x) const override { return term_(x); }
  [[nodiscard]] double base(double x) const override {
    return term_ == logarithm ? -logarithm(x) : 0.0;
  }

  [[nodiscard]] double marginal(std::size_t f, const Sums& sums) const override {
    const Posterior p = posterior(f, sums);
    const double kappa = prior_of(f, 1), a = prior_of(f, 2), b = prior_of(f, 3);
    return math::log_gamma(p.a) - math::log_gamma(a) + a * std::log(b) - p.a * std::log(p.b) +
           0.5 * std::log(kappa / p.kappa) - 0.5 * sums[0] * std::log(2 * std::numbers::pi);
  }

  [[nodiscard]] Row table_row(std::size_t f, const Sums& sums) const override {
    const Posterior p = posterior(f, sums);
    const double spread = 2 * p.b * (p.kappa + 1) / p.kappa;
    return {math::log_gamma(p.a + 0.5) - math::log_gamma(p.a) -
                0.5 * std::log(std::numbers::pi * spread),
            p.mean, 1 / spread, p.a + 0.5};
  }

  void add_predictives(std::size_t /*feature*/, double u, const ClusterView& table,
                       double* total) const override {
    const double* constant = table.table;
    const double* mean = constant + table.stride;
    const double* inverse = mean + table.stride;
    const double* exponent = inverse + table.stride;
    for (std::size_t k = 0; k < table.count; ++k) {
      const double off = u - mean[k];
      total[k] += constant[k] - exponent[k] * std::log1p(off * off * inverse[k]);
    }
  }

  [[nodiscard]] Own drawn(std::size_t f, const Sums& sums, core::Rng& rng) const override {
    const Posterior p = posterior(f, sums);
    const double variance = std::clamp(p.b / rng.gamma(p.a), kLeastVariance, kMostVariance);
    return {centre_[f] + p.mean + std::sqrt(variance / p.kappa) * rng.normal(), variance};
  }

  // The variance has a mean from A > 1 on.
  [[nodiscard]] Own mean(std::size_t f, const Sums& sums) const override {
    const Posterior p = posterior(f, sums);
    return {centre_[f] + p.mean, p.b / (p.a > 1 ? p.a - 1 : p.a)};
  }

 private:
  struct Posterior {
    double kappa, a, mean, b;  // mean: about the centre
  };

  [[nodiscard]] Posterior posterior(std::size_t f, const Sums& sums) const {
    const double prior_mean = prior_of(f, 0) - centre_[f];
    const double kappa0 = prior_of(f, 1), kappa = kappa0 + sums[0];
    const double average = sums[0] > 0 ? sums[1] / sums[0] : 0.0;
    const double squares = std::max(sums[2] - sums[1] * average, 0.0);
    const double off = average - prior_mean;
    return {kappa, prior_of(f, 2) + sums[0] / 2, (kappa0 * prior_mean + sums[1]) / kappa,
            prior_of(f, 3) + squares / 2 + kappa0 * sums[0] * off * off / (2 * kappa)};
  }

  double (*term_)(double);
};

std::unique_ptr<Conjugate> make(const Block& block, std::span<const double> prior,
                                double (*term)(double)) {
  std::vector<double> all;
  if (prior.empty()) {
    for (const ColumnMoments& column : column_moments(block, term, false))
      all.insert(all.end(), {column.mean, kKappa, kShape, column.variance * (kShape - 1) / 4});
  } else {
    all = spread_prior(block, prior, 4, block.slots(), 0);
  }
  return std::make_unique<NormalInverseGamma>(block, std::move(all), term);
}

}  // namespace

std::unique_ptr<Conjugate> gaussian_conjugate(const Block& block, std::span<const double> prior) {
  return make(block, prior, itself);
}

std::unique_ptr<Conjugate> lognormal_conjugate(const Block& block, std::span<const double> prior) {
  return make(block, prior, logarithm);
}

}  // namespace medley::families
