// SPDX-License-Identifier: Apache-2.0
// Simulated surveys with known profiles, and how often bootstrap intervals hold what was planted.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/simulate.hpp"
#include "medley/uncertainty.hpp"
#include "support/hand_model.hpp"

namespace medley::test {

/// A model of yes/no items: yes[k][j] is the probability of "l1" of item j in profile k.
inline Model planted_survey(const std::string& membership, const std::vector<double>& prior,
                            const std::vector<std::vector<double>>& yes) {
  const std::size_t items = yes[0].size();
  const Dataset shape = dataset(
      {level_block("bernoulli", {std::vector<int>(items, 0)}, std::vector<std::size_t>(items, 2))});
  auto parts = hand_parts(membership, prior, shape);
  parts->schema.sources.resize(1);
  std::vector<std::vector<double>> table(2 * items, std::vector<double>(prior.size()));
  for (std::size_t k = 0; k < prior.size(); ++k) {
    for (std::size_t j = 0; j < items; ++j) {
      table[2 * j][k] = 1 - yes[k][j];
      table[2 * j + 1][k] = yes[k][j];
    }
  }
  set_table(*parts->blocks[0].family, table);
  return Model(parts);
}

struct CoverageStudy {
  std::string membership = "mixed", inference = "exact";
  std::vector<double> prior;
  std::vector<std::vector<double>> yes;
  std::size_t simulations = 200, rows = 1000, replicates = 200;
  double level = 0.95;
  std::size_t threads = 0;
};

/// How often each planted number was inside its interval: probabilities of "yes", profile by
/// profile, then prior, then sizes where they are known.
struct Coverage {
  std::size_t simulations = 0;
  std::vector<std::string> name;
  std::vector<double> truth, inside, width;  ///< inside: counts; width: sums
  std::vector<double> share;  ///< per simulation: of the probabilities that were inside
  std::size_t ambiguous = 0, not_converged = 0;
  double drift = 0;  ///< largest

  [[nodiscard]] double rate(std::size_t i) const {
    return inside[i] / static_cast<double>(simulations);
  }
  /// Over all probabilities, and the standard error from the spread between simulations.
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double s : share) sum += s;
    return sum / static_cast<double>(share.size());
  }
  [[nodiscard]] double mean_error() const {
    double squares = 0;
    for (const double s : share) squares += (s - mean()) * (s - mean());
    const auto n = static_cast<double>(share.size());
    return std::sqrt(squares / (n - 1) / n);
  }
};

/// One simulation after the other: draw rows, fit as a user would, bootstrap, look.
inline Coverage covered(const CoverageStudy& study) {
  const Model truth = planted_survey(study.membership, study.prior, study.yes);
  const std::size_t components = study.prior.size(), items = study.yes[0].size();
  Coverage out;
  for (std::size_t k = 0; k < components; ++k) {
    for (std::size_t j = 0; j < items; ++j) {
      out.name.push_back("profile " + std::to_string(k + 1) + " item " + std::to_string(j + 1));
      out.truth.push_back(study.yes[k][j]);
    }
  }
  for (std::size_t k = 0; k < components; ++k) {
    out.name.push_back("prior " + std::to_string(k + 1));
    out.truth.push_back(study.prior[k]);
  }
  out.inside.assign(out.name.size(), 0.0);
  out.width.assign(out.name.size(), 0.0);
  for (std::size_t s = 0; s < study.simulations; ++s) {
    const Dataset data = simulate(truth, {.rows = study.rows, .seed = 1000 + s}).data;
    FitOptions fitting;
    fitting.components = components;
    fitting.membership = study.membership;
    fitting.inference = study.inference;
    fitting.threads = study.threads;
    const Model model = fit(data, fitting);
    const Bootstrap found = bootstrap(model, data,
                                      {.replicates = study.replicates,
                                       .level = study.level,
                                       .seed = s,
                                       .threads = study.threads});
    out.ambiguous += found.ambiguous;
    out.not_converged += found.not_converged;
    out.drift = std::max(out.drift, found.drift);
    std::vector<std::size_t> planted_as(components);
    for (const ComparedPair& pair : compare(truth, model).pairs) planted_as[pair.b] = pair.a;
    double inside = 0;
    for (const BootstrapEstimate& e : found.estimates) {
      const bool prior = e.quantity == BootstrapEstimate::Quantity::prior;
      if (!prior && e.level != "l1") continue;
      const std::size_t k = planted_as[e.component];
      const std::size_t at =
          prior ? components * items + k
                : k * items + static_cast<std::size_t>(std::stoul(e.feature.substr(1)));
      const bool hit = e.estimate.low <= out.truth[at] && out.truth[at] <= e.estimate.high;
      out.inside[at] += hit ? 1 : 0;
      out.width[at] += e.estimate.high - e.estimate.low;
      if (!prior) inside += hit ? 1 : 0;
    }
    out.share.push_back(inside / static_cast<double>(components * items));
    ++out.simulations;
  }
  return out;
}

}  // namespace medley::test
