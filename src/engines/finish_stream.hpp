// SPDX-License-Identifier: Apache-2.0
// As finish.hpp, for rows that come some at a time: every row is scored from the documented start,
// and only sums are kept.
#pragma once

#include <functional>
#include <memory>

#include "engines/engine.hpp"
#include "engines/finish.hpp"
#include "medley/stream.hpp"

namespace medley::engines {

/// `like` are rows that show what the columns are like. `go_on` is asked now and then, with the
/// number of rows scored; when it says no, these are all there is and the summary says interrupted.
[[nodiscard]] std::shared_ptr<model::Parts> finish_stream(
    const RowSource& rows, const Dataset& like, const model::Resolved& resolved, EmModel best,
    const Finished& finished, const std::function<bool(std::size_t)>& go_on);

}  // namespace medley::engines
