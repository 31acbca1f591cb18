// SPDX-License-Identifier: Apache-2.0
// A sampled model is a set of draws. Each draw is a plain model with its own number of components,
// and a map of its components onto the profiles that the model shows, whose tables are posterior
// means. The model's result for a row is the mean over its draws:
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
  std::vector<double> onto;                ///< components x profiles: parts; each row sums to 1

  [[nodiscard]] std::size_t components() const { return prior.size(); }
};

/// One quantity after every sweep of every chain; it does not depend on the labels of components.
struct Trace {
  std::string name;
  std::vector<std::vector<double>> chain;  ///< all of equal length
  bool about_row = false;                  ///< about a single cell, and so about a single row
};

/// Names of traces that concern all rows together.
inline constexpr const char* kLogLikelihood = "log-likelihood";
inline constexpr const char* kLogJoint = "log joint";
inline constexpr const char* kAlphaSum = "sum of alpha";
inline constexpr const char* kConcentration = "concentration";
inline constexpr const char* kClusters = "clusters";
/// Files hold only names. Any trace not known to concern all rows counts as being about one row.
[[nodiscard]] bool is_of_all_rows(const std::string& trace);

/// The parts of the deviance information criterion; D = -2 log-likelihood.
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

/// A draw as a model. It has no draws, and the names of the profiles if there are as many.
[[nodiscard]] Model draw_model(const Model& model, std::size_t draw);

/// At most that many draws, spread evenly over all.
[[nodiscard]] std::vector<std::size_t> spread_draws(const Draws& draws, std::size_t most);

/// The draws of a model after reordering: its profile k was profile order[k]. Draws with as many
/// components get the same order.
[[nodiscard]] Draws reordered(Draws draws, std::span<const std::size_t> order);

/// Adds the shares of rows under a draw (rows x its components), times a weight, to those of the
/// profiles (rows x K).
void add_onto(const Draw& draw, std::span<const double> share, double weight,
              std::span<double> profiles);

}  // namespace medley::model
