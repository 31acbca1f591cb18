// SPDX-License-Identifier: Apache-2.0
// One observation of a row meets many guesses at the components of the others: particles, each with
// an urn u_r of K numbers. A component is drawn for every particle,
//
//   p(z = k | r) = l_k u_rk / total_r,    total_r = sum_k l_k u_rk,
//
// the particles side by side in lanes. tests/kernels/urn_draws_test.cpp has the plain loop.
#pragma once

#include <cstddef>
#include <cstdint>

namespace medley::kernels {

struct UrnDraws {
  const double* likelihood;  ///< K
  const double* urn;         ///< K x particles
  std::size_t components;    ///< K
  std::size_t particles;     ///< a multiple of kLanes
  const double* uniform;     ///< per particle, in (0, 1)
  double* room;              ///< K x kLanes, working memory
};

/// `total` and `component`: per particle. Component k is the first whose cumulated odds exceed
/// uniform x total.
void draw_from_urns(const UrnDraws& draws, double* total, std::uint32_t* component);

}  // namespace medley::kernels
