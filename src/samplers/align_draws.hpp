// SPDX-License-Identifier: Apache-2.0
// Components have no names: in another chain, or later in the same, component 1 may be what was 3.
// A draw is brought into the order of a reference by pairing their components so that
//
//   sum_k sum_r weight_r (draw[r][order[k]] - reference[r][k])^2
//
// is least (math/assignment.hpp). Rows r are anything that tells components apart: here the
// likelihoods of the distinct cells, weighted by how often they were observed, which means the same
// for every family.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace medley::samplers {

/// Aligned component k is the draw's component order[k]. Both are rows x K; `weight`: per row.
[[nodiscard]] std::vector<std::size_t> align_draw(std::span<const double> draw,
                                                  std::span<const double> reference,
                                                  std::span<const double> weight,
                                                  std::size_t components);

}  // namespace medley::samplers
