// SPDX-License-Identifier: Apache-2.0
// A fit whose rows are cut into shards. A shard is some consecutive rows, chosen by the data and
// the number of shards alone, and a rank of its own (core/reducer.hpp): a thread with its own copy
// of the parameters. Sums over all rows are made of the sums of shards by one binary tree over
// shard numbers,
//
//   sum[first, end) = sum[first, middle) + sum[middle, end),   middle = (first + end) / 2
//
// so they have the same bits wherever the shards are: all in one process, or spread over several
// (Communicator in medley/fit.hpp), of which each has a run of shards.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/reducer.hpp"
#include "medley/fit.hpp"

namespace medley::engines {

/// First rows of the shards, and the number of rows: shards + 1 numbers. Shards have about as many
/// cells each; where they begin is a multiple of eight rows, which are inferred together. May be
/// empty shards.
[[nodiscard]] std::vector<std::size_t> shard_bounds(const Dataset& data, std::size_t shards);

/// Runs work(rank) for every shard of this process at the same time, a thread each. Rethrows the
/// first failure, when all of them have ended.
void run_shards(std::size_t shards, Communicator& processes,
                const std::function<void(core::Reducer&)>& work);

/// fit() with options.shards above 0, in this process alone.
[[nodiscard]] Model fit_shards(const Dataset& data, const FitOptions& options, const Hooks& hooks);

}  // namespace medley::engines
