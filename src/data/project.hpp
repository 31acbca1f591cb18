// SPDX-License-Identifier: Apache-2.0
// The same rows under another schema: every cell goes to a slot of the new blocks, or away. What
// all treatments of a data set have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "data/catalogue.hpp"
#include "medley/data.hpp"

namespace medley::data {

/// Where the cells of one slot go.
struct Target {
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t block = kNowhere;  ///< of the new data set; kNowhere: the cell is dropped
  std::uint32_t slot = 0;
  std::function<bool(double)> drop_unless = {};   ///< numbers: only those that pass are kept
  std::function<bool(double)> next_slot_if = {};  ///< numbers: those that pass go one slot further
};
using Targets = std::vector<std::vector<Target>>;  ///< per old block, per old slot

/// The blocks a schema makes, without rows.
[[nodiscard]] Dataset empty_data(const Schema& schema, const FamilyCatalogue& catalogue);

/// Targets that leave everything where it is, by names: of sources, features and levels. What the
/// new schema does not have is dropped.
[[nodiscard]] Targets same_places(const Dataset& from, const Dataset& to);

/// `shape` (from empty_data) with the cells of `from`; ids, weights and kept columns stay.
[[nodiscard]] Dataset remapped(const Dataset& from, Dataset shape, const Targets& targets);

/// The source of the schema that a block belongs to.
[[nodiscard]] std::size_t source_of(const Schema& schema, const Block& block);

}  // namespace medley::data
