// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "families/conjugate.hpp"
#include "families/registry.hpp"

namespace medley::families {
namespace {

constexpr double kFloor = 1e-3;  // of the column's variance

constexpr ScalarRow kRows[] = {{"mu", -kMostNumber, kMostNumber, 0, Link::location},
                               {"var", 1e-210, 1e210, 1, Link::log},
                               {"mean of a column", -kMostNumber, kMostNumber, 0},
                               {"variance of a column", 1e-200, 1e210, 1}};

double suits(const data::ColumnFacts& facts, std::string& why) {
  if (facts.kind == SourceKind::tokens || !facts.numeric || facts.distinct <= 2) return 0;
  why = "numbers, " + range_of(facts);
  return 0.1;  // every family that has something to say about the column goes first
}

std::string refusal(double value) {
  return std::abs(value) <= kMostNumber ? "" : "is too large; gaussian takes numbers up to 1e100";
}

}  // namespace

Gaussian::Gaussian(const FamilyEntry& entry, const Block& shape, std::size_t components)
    : Scalars(entry, shape, components, kRows, Form::curved) {}

Scalars::Coefficients Gaussian::coefficients(const Pair& p) const {
  return {-0.5 * std::log(2 * std::numbers::pi * p[1]), p[0], -0.5 / p[1]};
}

Scalars::Pair Gaussian::maximum(const Pair& average, const Pair& reference) const {
  return {reference[0] + average[0],
          std::max(average[1] - average[0] * average[0], kFloor * reference[1])};
}

Scalars::Range Gaussian::range(std::size_t row, const Pair& reference) const {
  const double least = row == 0 ? kRows[row].least : kFloor * reference[1];
  return {least, kRows[row].most};
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
    .suits = suits,
    .objection = [](const data::ColumnFacts& facts) { return scalar_objection(facts, "gaussian"); },
    .refusal = refusal,
    .make = [](const Block& shape, std::size_t k) -> std::unique_ptr<Family> {
      return std::make_unique<Gaussian>(gaussian_family, shape, k);
    },
    .fields = [](const Family& family,
                 std::size_t feature) { return scalar_fields(family, feature); },
    .flaw = scalar_flaw,
    .conjugate = gaussian_conjugate};

}  // namespace medley::families
