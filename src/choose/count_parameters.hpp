// SPDX-License-Identifier: Apache-2.0
// The number of parameters of a model, as AIC and BIC count them:
//
//   p = prior + sum over features K (free numbers of the feature) + (C - 1) K
//
// A list of R probabilities has R - 1 free numbers. The prior has K (alpha fitted), 1 (one common
// alpha), 0 (alpha given) or K - 1 (shares of classes, single membership); with K = 1 there is no
// prior to fit. C: classes of a label that is learnt. Memberships of rows are integrated out and
// not counted. Grade of membership with J yes/no items: K + J K.
#pragma once

#include <cstddef>

#include "model/model.hpp"

namespace medley::choose {

[[nodiscard]] std::size_t count_parameters(const model::Parts& parts);

}  // namespace medley::choose
