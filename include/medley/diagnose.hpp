// SPDX-License-Identifier: Apache-2.0
// What is wrong with a fit, or with the chains of a sampled model, and what to do about it.
//
// Chains are judged by numbers that do not depend on how components are called (the log-likelihood,
// the probabilities of some cells, the sum of alpha, the number of clusters), by the
// rank-normalised split R-hat and effective sample sizes of Vehtari et al. (2021): they have mixed
// if every R-hat is below 1.05 and every effective sample size at least 400. Parameters, whose
// components were brought into one order, are listed too, but do not decide.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/hooks.hpp"
#include "medley/model.hpp"

namespace medley {

/// One number that was followed through the chains. Not a number where it never changed.
struct ChainQuantity {
  std::string name;
  double mean = 0, sd = 0;
  double low = 0, high = 0;  ///< 5 % and 95 % of the draws
  double rhat = 0;
  double ess_bulk = 0, ess_tail = 0;  ///< effective draws, for the centre and for the tails
  double mcse = 0;                    ///< standard error of the mean
  bool about_row = false;             ///< a number of a single row: no aggregate
};

/// A sentence about a fit.
struct Finding {
  std::string text;
  bool about_chains = false;
  bool about_row = false;  ///< it names a single row, or a cell of it
};

/// A deviance information criterion: smaller is better. Comparable only with one of the same focus.
struct InformationCriterion {
  double mean_deviance = 0, plug_in = 0;
  [[nodiscard]] double effective() const { return mean_deviance - plug_in; }  ///< parameters
  [[nodiscard]] double dic() const { return mean_deviance + effective(); }
  double error = 0;  ///< Monte-Carlo standard error of the mean deviance
};

struct Diagnosis {
  // Of a sampled model:
  std::size_t chains = 0, burn_in = 0, sweeps = 0, draws = 0;  ///< draws: kept, of all chains
  std::vector<ChainQuantity> quantity;   ///< the same whatever components are called
  std::vector<ChainQuantity> parameter;  ///< of aligned components; the largest R-hat first
  bool mixed = false;
  std::size_t sweeps_needed = 0;  ///< if they have not: a guess at how many would do
  std::optional<InformationCriterion> conditional = {};  ///< memberships count as parameters
  std::optional<InformationCriterion> marginal = {};     ///< memberships integrated out; needs data
  std::map<std::size_t, double> clusters = {};  ///< infinite membership: posterior of their number
  // Of any model:
  std::size_t restarts = 0, same_optimum = 0;  ///< starts, and those that ended as high as the best
  std::size_t small_profiles = 0;              ///< hold less than 0.5 % of all memberships
  bool sound = true;                           ///< nothing below is to worry about
  std::vector<Finding> finding;                ///< what was found
  std::vector<Finding> suggestion;             ///< what to do
};

/// The kept draws of one chain (from 0) as the CSV file of CmdStan, which ArviZ, posterior and
/// their like read: a comment, a header, a line per draw. lp__ is the log-likelihood (of an
/// infinite membership: of labels and data together), then what was traced, then the parameters,
/// name.component or name.component.level, all from 1 (characters that have a meaning there become
/// _). Draws that differ in their components have no columns of parameters. InputError if the model
/// is not sampled.
[[nodiscard]] std::string draws_csv(const Model& model, std::size_t chain);
/// Of a sampled model, else 0.
[[nodiscard]] std::size_t chains_of(const Model& model);

inline constexpr double kMixedRhat = 1.05, kMixedDraws = 400;

/// From what the model file holds.
[[nodiscard]] Diagnosis diagnose(const Model& model);
/// With the rows it was learnt from, the marginal criterion too.
[[nodiscard]] Diagnosis diagnose(const Model& model, const Dataset& data, std::size_t threads = 0,
                                 const Hooks& hooks = {});

}  // namespace medley
