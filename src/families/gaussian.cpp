// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "families/conjugate.hpp"
#include "families/registry.hpp"
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
    .flaw = scalar_flaw,
    .posterior = true,
    .conjugate = gaussian_conjugate};

}  // namespace medley::families
