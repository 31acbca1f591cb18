// SPDX-License-Identifier: Apache-2.0
// The density of every family of numbers, written down once more from its definition: what the
// library's rows are compared with. Parameters are those of the export, by name.
#pragma once

#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string>

#include "families/family.hpp"

namespace medley::test {

using Named = std::map<std::string, double>;

inline double normal_log_density(double x, double mu, double var) {
  return -0.5 * std::log(2 * std::numbers::pi * var) - std::pow(x - mu, 2) / (2 * var);
}

/// log f(x) of a number, its shift taken off.
inline double plain_log_density(const std::string& family, const Named& p, double x) {
  if (family == "gaussian") return normal_log_density(x, p.at("mu"), p.at("var"));
  if (family == "lognormal")
    return normal_log_density(std::log(x), p.at("mu"), p.at("var")) - std::log(x);
  if (family == "poisson") return x * std::log(p.at("rate")) - p.at("rate") - std::lgamma(x + 1);
  if (family == "exponential") return std::log(p.at("rate")) - p.at("rate") * x;
  if (family == "gamma") {
    const double shape = p.at("shape"), rate = p.at("rate");
    return shape * std::log(rate) - std::lgamma(shape) + (shape - 1) * std::log(x) - rate * x;
  }
  throw std::logic_error("write down the density of " + family + " in plain_density.hpp");
}

/// The exported numbers of one feature under one component.
inline Named exported(const families::Family& family, std::size_t feature, std::size_t component) {
  Named values;
  for (const families::ExportField& field : family.entry().fields(family, feature))
    values[field.key] = field.values[field.common ? 0 : component][0];
  return values;
}

}  // namespace medley::test
