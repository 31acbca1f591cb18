// SPDX-License-Identifier: Apache-2.0
// Which rows are held out together: the labelled rows dealt into folds class by class, so that
// every fold has its share of every class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "medley/data.hpp"

namespace medley::choose {

/// A row of this fold is never held out.
inline constexpr std::size_t kNeverHeldOut = static_cast<std::size_t>(-1);

/// The fold of every row, 0 .. folds-1 or kNeverHeldOut: rows without a class, and the only row of
/// a class, which then could not be learnt. Of a class with several rows no fold holds all. Sizes
/// differ by one at most. A function of the label, the number of folds (at least 2) and the seed.
[[nodiscard]] std::vector<std::size_t> inner_folds(const KeptColumn& label, std::size_t folds,
                                                   std::uint64_t seed);

/// How many of the folds to use: enough to hold out `enough` rows, or all.
[[nodiscard]] std::size_t folds_to_use(const std::vector<std::size_t>& fold_of, std::size_t folds,
                                       std::size_t enough);

}  // namespace medley::choose
