// SPDX-License-Identifier: Apache-2.0
// The head given what the components are: where a fit begins, and where it ends. During the fit a
// row's label helps to infer its memberships; of a new row the label is what is asked for. So in
// the end P(h | k) is fitted once more, to memberships inferred without it.
#pragma once

#include <vector>

#include "engines/engine.hpp"

namespace medley::engines {

/// P(h | k) = the share of class h among the labelled rows of component k; `shares` (rows x stride)
/// says how much of each row a component holds.
void head_from_shares(const EmData& data, const std::vector<double>& shares, std::size_t stride,
                      heads::Softmax& head);

/// eta_hk = value for the components of class h < C (k = h, h + C, ...), else 0: the start of the
/// discriminative mixed-membership paper.
void head_from_identity(double value, heads::Softmax& head);

/// How likely each component is to hold all of a row, the label aside: r_k ~ p(all from k) prod_o
/// l_ok^{w_o}, rows x K; the prior's mean for a row with nothing observed.
[[nodiscard]] std::vector<double> sole_shares(Engine& engine);

/// The maximum of sum_i log sum_k shares_ik P(y_i | k), with the head's smoothing.
void head_from_predictions(const EmData& data, const std::vector<double>& shares,
                           heads::Softmax& head);

}  // namespace medley::engines
