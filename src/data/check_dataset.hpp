// SPDX-License-Identifier: Apache-2.0
// Data sets may be made by hand: what every use of one may rely on is checked first.
#pragma once

#include "data/catalogue.hpp"
#include "medley/data.hpp"

namespace medley::data {

/// What medley::check promises. Without a catalogue nothing is said of families: enough for whoever
/// only writes the cells down.
void check_dataset(const Dataset& data, const FamilyCatalogue* catalogue);

/// The same for blocks whose shape (family, features, slots) is known to be sound: a model's, say.
void check_cells(const Dataset& data, const FamilyCatalogue* catalogue);

}  // namespace medley::data
