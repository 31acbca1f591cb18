// SPDX-License-Identifier: Apache-2.0
// A membership that cannot begin on its own follows another (MembershipEntry::precursor): tables
// stay as they are, and what rows hold under the first one tells the second where to begin. And one
// that a fit leaves unfinished (Membership::settle) is finished, again with the tables as they are.
#pragma once

#include <memory>

#include "engines/engine.hpp"

namespace medley::engines {

/// At most `most` of the rows of all processes, spread over them: those of them that are here.
[[nodiscard]] Dataset spread_rows(const Share& share, std::size_t most);

/// Begins the model's membership from the rows as `before` has inferred them. At most 2,000 of the
/// rows, spread over all, are looked at.
void warm_start_membership(const EmData& data, std::unique_ptr<memberships::Membership> before,
                           const model::Inference& inference, EmModel& model);

/// Finishes the model's membership after the last iteration; at most 2,000 of the rows are looked
/// at, which stand for `all` rows.
void finalize_membership(const EmData& data, double all, EmModel& model);

}  // namespace medley::engines
