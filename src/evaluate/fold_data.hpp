// SPDX-License-Identifier: Apache-2.0
// The two data sets of a fold. Everything that the fit may learn is in `train`, and nothing in it
// comes from the rows of `test`.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "medley/data.hpp"
#include "medley/io.hpp"

namespace medley::evaluation {

struct FoldData {
  std::vector<std::size_t> train_rows, test_rows;  ///< their places in the whole data, ascending
  Dataset train, test;
};

/// `fold_of`: the fold of every row. Columns, levels, words, items and classes are those that the
/// training rows show; sampling weights have mean 1 on each side. Throws InputError if no column
/// varies among the training rows.
[[nodiscard]] FoldData fold_data(const Dataset& data, std::span<const std::size_t> fold_of,
                                 std::size_t fold, const VocabularyOptions& words);

/// Bytes that fitting and scoring a fold of this data take, roughly.
[[nodiscard]] std::size_t fold_bytes(const Dataset& data, std::size_t components);

}  // namespace medley::evaluation
