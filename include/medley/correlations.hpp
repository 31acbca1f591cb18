// SPDX-License-Identifier: Apache-2.0
// Which components occur together in rows, beyond their sizes.
//
// With correlated membership: the cosines of the components' locations, which a fit ends with
// setting to the covariance of the logarithms of rows' weights. With any other: over the
// rows of a data set, the correlations of log(m t_k + 1/2) less its mean over components, where t_k
// is the row's membership and m its size. Either way only differences between components tell:
// somewhere a correlation above 0 has one below 0 against it, even where all are independent
// (about -1/(K - 1)).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/hooks.hpp"
#include "medley/model.hpp"

namespace medley {

struct ComponentCorrelations {
  std::size_t components = 0;
  std::vector<double> matrix;  ///< K x K, 1 on the diagonal; 0 where a component never varies
  std::string basis;           ///< where they come from, in words
};

/// From the model alone. Throws InputError if its membership has no locations.
[[nodiscard]] ComponentCorrelations component_correlations(const Model& model);
/// From the memberships of rows; rows with nothing observed are left out.
[[nodiscard]] ComponentCorrelations component_correlations(const Model& model, const Dataset& data,
                                                           std::size_t threads = 0,
                                                           const Hooks& hooks = {});

}  // namespace medley
