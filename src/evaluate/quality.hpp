// SPDX-License-Identifier: Apache-2.0
// How different the components of a model are, and how the rows of some data share them out.
#pragma once

#include "medley/data.hpp"
#include "medley/evaluate.hpp"
#include "model/model.hpp"

namespace medley::evaluation {

/// Fills all of Quality but the topics. Rows with nothing observed are left out: their membership
/// is the prior's.
void profile_quality(const model::Parts& parts, const Dataset& data, const Memberships& memberships,
                     Quality& into);

}  // namespace medley::evaluation
