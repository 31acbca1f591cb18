// SPDX-License-Identifier: Apache-2.0
// What can be fitted: the members of each axis, the presets over them, and what is not offered.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/options.hpp"

namespace medley {

struct CatalogueEntry {
  std::string name;
  std::string summary;
};

/// A published model as one point of the grid.
struct Preset {
  std::string name;
  std::string summary;
  std::string membership;  ///< one of list_memberships()
  std::string inference;   ///< one of list_inferences()
  std::string alpha;       ///< "fitted", "symmetric"; empty for single
  std::string encoding;    ///< "any", "tokens" or "levels": the blocks it is meant for
  bool missing_as_category = false;
  bool label = false;  ///< learns a label, with the bound and the start of its paper
  Estimate estimate = Estimate::map;
  double smoothing = 0.01;  ///< FitOptions::smoothing
  std::size_t batch = 0;    ///< FitOptions::batch
};

[[nodiscard]] const std::vector<Preset>& presets();
/// Whether that preset with that membership (empty: the preset's own) finds how many components
/// there are, so that no K may be given.
[[nodiscard]] bool finds_components(const std::string& model, const std::string& membership);
[[nodiscard]] std::vector<CatalogueEntry> list_families();
[[nodiscard]] std::vector<CatalogueEntry> list_memberships();
[[nodiscard]] std::vector<CatalogueEntry> list_inferences();
[[nodiscard]] std::vector<CatalogueEntry> list_estimates();
/// Combinations that are refused, each with the nearest thing that is offered.
[[nodiscard]] std::vector<CatalogueEntry> list_not_offered();

}  // namespace medley
