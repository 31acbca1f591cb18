// SPDX-License-Identifier: Apache-2.0
// Geometric: how often something failed before it succeeded; whole numbers from 0, most of them
// small and some very large.
//
//   log f(x | component k) = log p_k + x log(1 - p_k)
//
// Use it for counts that vary much more than poisson allows: the variance is mean + mean^2.
//
// The posterior of p is Beta(a + observations, b + sum x); its mean is the parameter, the sum of
// both the strength. It starts from Beta(1, 1).
#include <algorithm>
#include <cmath>

#include "families/conjugate.hpp"
#include "families/conjugate_scalars.hpp"
#include "families/registry.hpp"
#include "families/scalars.hpp"
#include "math/conjugate.hpp"

namespace medley::families {
namespace {

constexpr double kLeastP = 1e-9;  // a maximum stays within [kLeastP, 1 - kLeastP]

// The mean of a posterior may be nearer to 0 or 1.
constexpr ScalarRow kGeometricRows[] = {{"p", 1e-30, 1 - 1e-15, 0.5, Link::logit},
                                        {"mean of a column", 0, kMostCount, 1}};

class Geometric final : public Scalars {
 public:
  Geometric(const Block& shape, std::size_t components)
      : Scalars(geometric_family, shape, components, kGeometricRows, Form::linear) {}

 protected:
  [[nodiscard]] Terms terms(double x) const override { return {0, x, 0}; }
  [[nodiscard]] Coefficients coefficients(const Pair& p) const override {
    return {std::log(p[0]), std::log1p(-p[0]), 0};
  }
  // log p + x log(1 - p) has one maximum, so that the nearest allowed p is the best one.
  [[nodiscard]] Pair maximum(const Pair& average, const Reference& /*reference*/) const override {
    return {std::clamp(1 / (1 + average[0]), kLeastP, 1 - kLeastP), 0};
  }
  [[nodiscard]] Moments moments_of(const Pair& p) const override {
    return {(1 - p[0]) / p[0], (1 - p[0]) / (p[0] * p[0])};
  }
  [[nodiscard]] double below(const Pair& p, double x) const override {
    return x < 0 ? 0.0 : -std::expm1((std::floor(x) + 1) * std::log1p(-p[0]));
  }
  [[nodiscard]] double drawn(const Pair& p, core::Rng& rng) const override {
    return std::floor(std::log(rng.uniform()) / std::log1p(-p[0]));
  }
  [[nodiscard]] std::array<Coefficients, 2> slopes(const Pair& p) const override {
    return {{{1 - p[0], -p[0], 0}, {}}};
  }
  [[nodiscard]] Range range(std::size_t /*row*/, const Reference& /*reference*/) const override {
    return {kLeastP, 1 - kLeastP};
  }
  [[nodiscard]] Belief prior(const Reference& /*reference*/) const override {
    return {{0.5, 0}, {2, 0}};
  }
  [[nodiscard]] Belief learnt(const Belief& before, const Sums& sums,
                              const Reference& /*reference*/) const override {
    const math::BetaBelief prior = beta(before);
    const double both = before.strength[0] + sums.r + sums.u1;
    return {{(prior.a + sums.r) / both, 0}, {both, 0}};
  }
  [[nodiscard]] Coefficients expected(const Belief& belief) const override {
    const math::MeanLogs mean = math::mean_logs(beta(belief));
    return {mean.of_x, mean.of_rest, 0};
  }
  [[nodiscard]] double divergence(const Belief& belief, const Belief& from) const override {
    return math::divergence(beta(belief), beta(from));
  }

 private:
  static math::BetaBelief beta(const Belief& b) {
    return {b.mean[0] * b.strength[0], (1 - b.mean[0]) * b.strength[0]};
  }
};

double suits_geometric(const data::ColumnFacts& facts, std::string& why) {
  if (facts.kind == SourceKind::tokens || !facts.integer || facts.distinct <= 2) return 0;
  const double expected = facts.mean + facts.mean * facts.mean;
  const bool spread = facts.variance > 3 * facts.mean && facts.variance <= 4 * expected &&
                      facts.variance >= expected / 4;
  if (facts.minimum != 0 || !spread) return 0;
  why = "uneven counts, " + range_of(facts);
  return 0.35;
}

std::string geometric_refusal(double value) {
  const std::string takes = "; geometric takes whole numbers from 0";
  if (value < 0) return "is below 0" + takes;
  if (value != std::floor(value)) return "is not a whole number" + takes;
  return value <= kMostCount ? "" : "is too large" + takes + " to 1e15";
}

}  // namespace

const FamilyEntry geometric_family = {
    .name = "geometric",
    .summary = "uneven counts",
    .encoding = Encoding::real,
    .support = Support::counts,
    .suits = suits_geometric,
    .objection =
        [](const data::ColumnFacts& facts) { return scalar_objection(facts, "geometric"); },
    .refusal = geometric_refusal,
    .make = [](const Block& shape, std::size_t k) -> std::unique_ptr<Family> {
      return std::make_unique<Geometric>(shape, k);
    },
    .fields = [](const Family& family,
                 std::size_t feature) { return scalar_fields(family, feature); },
    .invalid_reason = invalid_scalar_reason,
    .posterior = true,
    .conjugate = geometric_conjugate};

// The beta prior of geometric probabilities, Beta(a, b). With m cells of sum s in the cluster:
//
//   log predictive   lnBeta(a + m + 1, b + s + x) - lnBeta(a + m, b + s)
//                    = log(a + m) + log of b + s rising x - log of a + b + m + s rising x + 1
//   log marginal     lnBeta(a + m, b + s) - lnBeta(a, b)
//
// The table has per feature log(a + m), s and m + s.

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
