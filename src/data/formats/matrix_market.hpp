// SPDX-License-Identifier: Apache-2.0
// Matrix Market coordinate files: `%%MatrixMarket matrix coordinate real|integer|pattern general`,
// then comments (%), a line `rows columns entries`, and lines `row column value`. Rows are
// documents, columns are words, values are counts; in a pattern every entry counts 1.
#pragma once

#include "core/files.hpp"
#include "data/formats/counts.hpp"
#include "data/raw.hpp"

namespace medley::data {

[[nodiscard]] RawCounts read_matrix_market(core::ByteSource& source, const CountsOptions& options);

}  // namespace medley::data
