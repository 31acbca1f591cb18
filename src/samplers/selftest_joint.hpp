// SPDX-License-Identifier: Apache-2.0
// What a test of a sampler needs of it: a state (unknowns, cells) that can be drawn from both ends.
//
//   forward   unknowns ~ prior, cells ~ p(cells | unknowns)
//   by turns  cells ~ p(cells | unknowns), unknowns ~ the sampler given the cells
//
// If the sampler leaves p(unknowns | cells) in place, both have the same distribution. Models are
// behind this interface, so that the tests (samplers/selftest_geweke.hpp, selftest_sbc.hpp) are
// written once, and so that wrong samplers can be put before them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/rng.hpp"

namespace medley::samplers {

/// A number that is followed, the same whatever components are called.
struct Followed {
  std::string name;
  bool of_cells = false;  ///< it depends on the cells alone
};

class Joint {
 public:
  Joint() = default;
  virtual ~Joint() = default;
  Joint(const Joint&) = delete;
  Joint& operator=(const Joint&) = delete;

  /// Unknowns from their prior, then cells.
  virtual void draw_forward(core::Rng& rng) = 0;
  /// New cells given the unknowns.
  virtual void draw_cells(core::Rng& rng) = 0;
  /// Puts the sampler before the cells. `here`: at the present unknowns; else where it begins by
  /// itself.
  virtual void begin(std::uint64_t seed, bool here) = 0;
  /// One sweep: the unknowns are those that the sampler drew. `tune`: as in its burn-in.
  virtual void sweep(bool tune) = 0;

  [[nodiscard]] virtual std::vector<Followed> followed() const = 0;
  /// Their values, in that order.
  [[nodiscard]] virtual std::vector<double> values() const = 0;
};

/// Called by several threads; each has its own.
using MakeJoint = std::function<std::unique_ptr<Joint>()>;

}  // namespace medley::samplers
