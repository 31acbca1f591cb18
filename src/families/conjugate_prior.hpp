// SPDX-License-Identifier: Apache-2.0
// Hyperparameters as they are given: once for all features, or for each in turn; and the tables of
// rising factorials that go with them, one per distinct number.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "math/rising_table.hpp"
#include "medley/data.hpp"

namespace medley::families {

/// `each` numbers for every one of `count` features (or slots), from the numbers once or in full.
/// `any`: which of them may be any number (npos: none). InputError if there are too few or too
/// many, or if one is not above 0.
[[nodiscard]] std::vector<double> spread_prior(const Block& block, std::span<const double> given,
                                               std::size_t each, std::size_t count,
                                               std::size_t any = static_cast<std::size_t>(-1));

/// How many cells, or tokens, a block has: no cluster has more.
[[nodiscard]] double total_weight(const Block& block);

class RisingTables {
 public:
  /// `most`: as for RisingTable.
  explicit RisingTables(double most) : most_(most) {}
  /// The table that begins at a; it lives as long as this.
  [[nodiscard]] const math::RisingTable* at(double a);

 private:
  double most_;
  std::map<double, std::unique_ptr<math::RisingTable>> tables_;
};

}  // namespace medley::families
