// SPDX-License-Identifier: Apache-2.0
// What a selection is asked to do, checked: the criteria, the grid of candidates, and the options
// of every kind of fit.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/select.hpp"

namespace medley::choose {

/// A place of the grid.
struct Place {
  std::size_t components = 0;
  double smoothing = -1;  ///< negative: the model's own
  std::string key;        ///< names its files: "k03", "k03_s0.1"
};

struct SelectionPlan {
  std::vector<Place> grid;   ///< smoothing by smoothing, K ascending
  std::set<std::string> by;  ///< criteria
  std::string estimator;     ///< of cv and likelihoods; "bound" where nothing else is affordable
  std::string fingerprint;   ///< of data and options, the criteria aside
  [[nodiscard]] bool wants(const std::string& criterion) const { return by.contains(criterion); }
};

/// Throws InputError listing everything that stands in the way.
[[nodiscard]] SelectionPlan plan_selection(const Dataset& data, const SelectOptions& options);

/// One fit at a place; restarts count from 0, each has the seed after that of the one before.
[[nodiscard]] FitOptions fit_at(const Place& place, const SelectOptions& options,
                                std::size_t restart);
/// Chains for dic with so many components, and for dp.
[[nodiscard]] FitOptions chains_with(std::size_t components, const SelectOptions& options);
[[nodiscard]] FitOptions cluster_chains(const SelectOptions& options);

}  // namespace medley::choose
