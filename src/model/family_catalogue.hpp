// SPDX-License-Identifier: Apache-2.0
// The family registry for the data room: which family suits a column, and what it needs.
#pragma once

#include "data/catalogue.hpp"

namespace medley::model {

[[nodiscard]] const data::FamilyCatalogue& family_catalogue();

}  // namespace medley::model
