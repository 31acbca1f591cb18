// SPDX-License-Identifier: Apache-2.0
// Splits the observations of rows at random into parts, so that one part can be scored given the
// others: the basis of every score by completion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "families/family.hpp"
#include "medley/data.hpp"

namespace medley::model {

/// Splits data into `parts` data sets of the same rows and blocks; a word that occurs three times
/// is three observations. `purpose` separates these draws from other uses of the seed.
[[nodiscard]] std::vector<Dataset> split_observations(const Dataset& data, std::size_t parts,
                                                      std::uint64_t seed, std::uint64_t purpose);

/// All parts but one together; a cell in several of them is a replicate.
[[nodiscard]] Dataset without(const std::vector<Dataset>& parts, std::size_t left_out);

/// Removes from `tested` the cells of rows of `data` that are too short for so many parts.
void empty_short_rows(const Dataset& data, std::size_t parts, Dataset& tested);

/// log sum_k share_k l_ok, summed over the cells of a row in one block; share: padded K. The family
/// must have been prepared.
[[nodiscard]] double score_cells(const families::Family& family, const Block& block,
                                 std::size_t row, const std::vector<double>& share);

}  // namespace medley::model
