// SPDX-License-Identifier: Apache-2.0
// Gamma: positive numbers, skewed or not as their shape says.
//
//   log f(x | component k) = shape_k log rate_k - log Gamma(shape_k) + (shape_k - 1) log x - rate_k
//   x
//
// Use it for durations and amounts above 0 that lognormal makes too long-tailed. With shape 1 it is
// exponential, with a large one nearly gaussian. Never inferred: ask for it with --column.
#include <algorithm>
#include <cmath>

#include "families/registry.hpp"
#include "families/scalars.hpp"
#include "math/special.hpp"

namespace medley::families {
namespace {

constexpr double kLeastShape = 1e-3, kMostShape = 1e4;

constexpr ScalarRow kGammaRows[] = {{"shape", kLeastShape, kMostShape, 1, Link::log},
                                    {"rate", 1e-110, 1e110, 1, Link::log},
                                    {"mean of a column", kLeastNumber, kMostNumber, 1},
                                    {"mean logarithm of a column", -231, 231, -1}};

// The shape for which log(shape) - digamma(shape), which falls from infinity to 0, is `excess`;
// within the allowed shapes. Newton's method on the logarithm of the shape, kept in a bracket.
double shape_of(double excess) {
  const auto above = [&](double log_shape) {
    return log_shape - math::digamma(std::exp(log_shape)) - excess;
  };
  double low = std::log(kLeastShape), high = std::log(kMostShape);
  if (!(above(high) < 0)) return kMostShape;
  if (!(above(low) > 0)) return kLeastShape;
  // Between 1 / (2 shape) and 1 / shape.
  double at = std::clamp(-std::log(excess), low, high);
  for (int step = 0; step < 100; ++step) {
    const double value = above(at);
    (value > 0 ? low : high) = at;
    const double shape = std::exp(at);
    const double slope = 1 - shape * math::trigamma(shape);
    double next = at - value / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - at) < 1e-14) break;
    at = next;
  }
  return std::clamp(std::exp(at), kLeastShape, kMostShape);
}

class Gamma final : public Scalars {
 public:
  Gamma(const Block& shape, std::size_t components)
      : Scalars(gamma_family, shape, components, kGammaRows, Form::linear) {}

 protected:
  [[nodiscard]] Terms terms(double x) const override {
    return {0, x, std::log(std::max(x, kLeastNumber))};  // what a shift left of a tiny number
  }
  [[nodiscard]] Coefficients coefficients(const Pair& p) const override {
    return {p[0] * std::log(p[1]) - math::log_gamma(p[0]), -p[1], p[0] - 1};
  }
  // For any shape the best rate is shape / mean; what is left has one maximum in the shape.
  [[nodiscard]] Pair maximum(const Pair& average, const Reference& /*reference*/) const override {
    const double shape = shape_of(std::log(average[0]) - average[1]);
    return {shape, shape / average[0]};
  }
  [[nodiscard]] Moments moments_of(const Pair& p) const override {
    return {p[0] / p[1], p[0] / (p[1] * p[1])};
  }
  [[nodiscard]] double below(const Pair& p, double x) const override {
    return x <= 0 ? 0.0 : math::gamma_below(p[0], p[1] * x);
  }
  // A tiny shape draws numbers that are too close to 0 to be written down.
  [[nodiscard]] double drawn(const Pair& p, core::Rng& rng) const override {
    return std::max(rng.gamma(p[0]) / p[1], kLeastNumber);
  }
  [[nodiscard]] std::array<Coefficients, 2> slopes(const Pair& p) const override {
    return {{{p[0] * (std::log(p[1]) - math::digamma(p[0])), 0, p[0]}, {p[0], -p[1], 0}}};
  }
};

std::string gamma_refusal(double value) {
  if (!(value > 0)) return "is not above 0; gamma takes numbers above 0";
  return value >= kLeastNumber && value <= kMostNumber
             ? ""
             : "is out of range; gamma takes numbers from 1e-100 to 1e100";
}

}  // namespace

const FamilyEntry gamma_family = {
    .name = "gamma",
    .summary = "positive numbers, skewed or not",
    .encoding = Encoding::real,
    .support = Support::positive,
    .suits = [](const data::ColumnFacts&, std::string&) { return 0.0; },
    .objection = [](const data::ColumnFacts& facts) { return scalar_objection(facts, "gamma"); },
    .refusal = gamma_refusal,
    .make = [](const Block& shape, std::size_t k) -> std::unique_ptr<Family> {
      return std::make_unique<Gamma>(shape, k);
    },
    .fields = [](const Family& family,
                 std::size_t feature) { return scalar_fields(family, feature); },
    .invalid_reason = invalid_scalar_reason};

}  // namespace medley::families
