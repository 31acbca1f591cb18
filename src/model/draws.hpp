// SPDX-License-Identifier: Apache-2.0
// A sampled model is a set of draws: every one is a plain model of its own, with as many components
// as it happened to have, and a map of its components onto the profiles that the model shows, whose
// tables are posterior means. What a model says about rows is the mean over its draws:
//
//   p(row) = 1/D sum_d p(row | draw d)      membership_k = 1/D sum_d sum_j onto_jk t_j(row | draw
//   d)
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "medley/model.hpp"

namespace medley::model {

struct Draw {
  std::size_t chain = 0;                   ///< from 0
  std::size_t sweep = 0;                   ///< of its chain, after the burn-in, from 0
  std::vector<double> prior;               ///< of the membership: one number per component
  std::vector<std::vector<double>> table;  ///< per block: rows of Family::parameters() x components
  std::vector<double> onto;                ///< components x profiles: parts that sum to 1

  [[nodiscard]] std::size_t components() const { return prior.size(); }
};

/// One number after every sweep, of every chain; the same whatever components are called.
struct Trace {
  std::string name;
  std::vector<std::vector<double>> chain;  ///< all of one length
  bool about_row = false;                  ///< of a single cell, and so of a single row
};

/// Names of traces of all rows together.
inline constexpr const char* kLogLikelihood = "log-likelihood";
inline constexpr const char* kLogJoint = "log joint";
inline constexpr const char* kAlphaSum = "sum of alpha";
inline constexpr const char* kConcentration = "concentration";
inline constexpr const char* kClusters = "clusters";
/// Files hold names alone. Whatever is not known to be of all rows is taken to be about one.
[[nodiscard]] bool is_of_all_rows(const std::string& trace);

/// What the deviance information criterion is made of: D = -2 log-likelihood.
struct Deviance {
  double mean = 0;     ///< over all sweeps
  double plug_in = 0;  ///< at the posterior mean of every cell's probability
};

struct Draws {
  std::vector<Draw> draw;  ///< chain by chain
  std::vector<Trace> trace;
  std::optional<Deviance> deviance = {};  ///< of the cells given the memberships ("conditional")
  std::size_t burn_in = 0, sweeps = 0;    ///< of each chain
};

/// A draw as a model. Its own draws are none, its names those of the profiles if there are as many.
[[nodiscard]] Model draw_model(const Model& model, std::size_t draw);

/// At most that many draws, spread evenly over all.
[[nodiscard]] std::vector<std::size_t> spread_draws(const Draws& draws, std::size_t most);

/// The draws of a model whose profile k is what was profile order[k]. Draws of as many components
/// have theirs in that order too.
[[nodiscard]] Draws reordered(Draws draws, std::span<const std::size_t> order);

/// Adds the shares of rows under a draw (rows x its components), times a weight, to those of the
/// profiles (rows x K).
void add_onto(const Draw& draw, std::span<const double> share, double weight,
              std::span<double> profiles);

}  // namespace medley::model
