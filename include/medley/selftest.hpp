// SPDX-License-Identifier: Apache-2.0
// Whether the samplers are right, tried on the user's own model and table: rows, columns, levels
// and missing cells as they are, answers drawn anew from the model with its priors.
//
//   geweke   parameters from their priors and data given them have a distribution that does not
//            change when data given parameters and parameters given data (the sampler) are drawn by
//            turns: means of many numbers are compared (Geweke 2004, "Getting it right: joint
//            distribution tests of posterior simulators")
//   sbc      parameters from their priors, data given them, a fit: among the fit's draws the truth
//            has every rank equally often (Talts, Betancourt, Simpson, Vehtari and Gelman 2018,
//            "Validating Bayesian inference algorithms with simulation-based calibration")
//
// A right sampler fails once in a hundred seeds (Bonferroni over the numbers that are compared).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/options.hpp"

namespace medley {

enum class SelfTestKind { geweke, sbc };

struct SelfTestOptions {
  SelfTestKind kind = SelfTestKind::geweke;
  std::size_t rows = 20;  ///< drawn from the data; all if it has fewer
  /// geweke: chains, at least 20; sbc: fits, at least 80. 0: 100, and 200.
  std::size_t replicates = 0;
};

/// One number, the same whatever components are called.
struct SelfTestRow {
  std::string name;
  /// geweke: its mean from the priors, and by turns. sbc: the mean rank as a share, which ought to
  /// be 0.5, and what it was.
  double expected = 0, found = 0;
  double error = 0;      ///< standard error of their difference
  double statistic = 0;  ///< geweke: the difference in standard errors; sbc: chi-square of ranks
  double p = 1;          ///< how often a right sampler differs as much
  bool passed = true;
};

struct SelfTest {
  SelfTestKind kind = SelfTestKind::geweke;
  std::string model;  ///< the preset
  std::size_t rows = 0, cells = 0, replicates = 0;
  double least_p = 0;  ///< below it a row fails: 1 % for all of them together
  std::vector<SelfTestRow> row = {};
  std::size_t slow = 0;  ///< sbc: fits whose draws still depended on each other
  bool passed = false;
  bool interrupted = false;                ///< by the hooks; then nothing was compared
  std::vector<std::string> sentence = {};  ///< what came out
};

/// `fitting`: the model with its priors, as for fit(); of the data only its shape matters, and the
/// priors of numbers that are taken from their columns. Same seed, same bits, at any number of
/// threads. InputError if the model is not sampled.
[[nodiscard]] SelfTest selftest(const Dataset& data, const FitOptions& fitting,
                                const SelfTestOptions& options, const Hooks& hooks = {});

/// What was compared, as a table, and what came out, in sentences.
[[nodiscard]] std::string describe(const SelfTest& test);

}  // namespace medley
