// SPDX-License-Identifier: Apache-2.0
// Whether the items of triplets share one scale (ratings from 1 to 5) or have levels of their own
// (the alleles of a locus, the answers to a question).
#pragma once

#include <string>
#include <vector>

#include "data/column_facts.hpp"
#include "data/raw.hpp"

namespace medley::data {

/// Per item, its levels.
using ItemLevels = std::vector<std::vector<std::string>>;

/// The levels that each item holds, bytewise order, missing values left out.
[[nodiscard]] ItemLevels levels_of_items(const RawTriplets& triplets,
                                         const MissingStrings& missing);

/// Those of the item with most levels, and 3 at least: they are no yes and no that all items share.
[[nodiscard]] std::size_t most_levels(const ItemLevels& items);

/// Whether the items share one scale. An item with n values would hold
///
///   sum over levels l of 1 - (1 - p_l)^n
///
/// different levels on average if its values were drawn from those of all items, with p_l the share
/// of level l. Items that hold less than three quarters of that, summed over items, have levels of
/// their own: few values in an item are no sign of it, few levels in many values are. Two levels
/// in all are always shared.
[[nodiscard]] bool share_one_scale(const RawTriplets& triplets, const MissingStrings& missing);

}  // namespace medley::data
