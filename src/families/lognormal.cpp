// SPDX-License-Identifier: Apache-2.0
// Lognormal: numbers above 0 whose logarithms are gaussian.
//
//   log f(x | component k) = -log x - 1/2 log(2 pi var_k) - (log x - mu_k)^2 / (2 var_k)
//
// Use it for amounts that range over several powers of ten: incomes, prices, concentrations. mu and
// var are those of the logarithms. For zeros among the amounts use exponential or gaussian.
#include <algorithm>
#include <cmath>

#include "families/conjugate.hpp"
#include "families/gaussian.hpp"
#include "families/registry.hpp"

namespace medley::families {
namespace {

// exp of more is no number.
constexpr double kMostLog = 700;

class Lognormal final : public Gaussian {
 public:
  Lognormal(const Block& shape, std::size_t components)
      : Gaussian(lognormal_family, shape, components) {}

 protected:
  [[nodiscard]] Terms terms(double x) const override {
    const double log = std::log(std::max(x, kLeastNumber));  // what a shift left of a tiny number
    return {-log, log, 0};
  }
  [[nodiscard]] Moments moments_of(const Pair& p) const override {
    const double mean = std::exp(std::min(p[0] + 0.5 * p[1], kMostLog));
    const double variance = std::expm1(std::min(p[1], kMostLog)) * mean * mean;
    return {mean, std::min(variance, std::exp(kMostLog))};
  }
  [[nodiscard]] double below(const Pair& p, double x) const override {
    return x <= 0 ? 0.0 : Gaussian::below(p, std::log(x));
  }
  [[nodiscard]] double drawn(const Pair& p, core::Rng& rng) const override {
    return std::exp(std::clamp(Gaussian::drawn(p, rng), -kMostLog, kMostLog));
  }
};

double suits_lognormal(const data::ColumnFacts& facts, std::string& why) {
  if (facts.kind == SourceKind::tokens || !facts.numeric || facts.distinct <= 2) return 0;
  const bool skewed = facts.skewness > 1.5 && std::abs(facts.log_skewness) < facts.skewness / 2;
  if (!(facts.minimum > 0) || !skewed || facts.maximum <= 10 * facts.minimum) return 0;
  why = "positive and skewed, " + range_of(facts);
  return 0.3;
}

std::string lognormal_refusal(double value) {
  if (!(value > 0)) return "is not above 0; lognormal takes numbers above 0";
  return value >= kLeastNumber && value <= kMostNumber
             ? ""
             : "is out of range; lognormal takes numbers from 1e-100 to 1e100";
}

}  // namespace

const FamilyEntry lognormal_family = {
    .name = "lognormal",
    .summary = "positive numbers over several powers of ten",
    .encoding = Encoding::real,
    .support = Support::positive,
    .suits = suits_lognormal,
    .objection =
        [](const data::ColumnFacts& facts) { return scalar_objection(facts, "lognormal"); },
    .refusal = lognormal_refusal,
    .make = [](const Block& shape, std::size_t k) -> std::unique_ptr<Family> {
      return std::make_unique<Lognormal>(shape, k);
    },
    .fields = [](const Family& family,
                 std::size_t feature) { return scalar_fields(family, feature); },
    .invalid_reason = invalid_scalar_reason,
    .posterior = true,
    .conjugate = lognormal_conjugate};

}  // namespace medley::families
