// SPDX-License-Identifier: Apache-2.0
// The UCI bag-of-words format: three lines with the numbers of documents, words and counts, then
// lines `document word count`, numbered from 1, in any order.
#pragma once

#include "core/files.hpp"
#include "data/formats/counts.hpp"
#include "data/raw.hpp"

namespace medley::data {

[[nodiscard]] RawCounts read_docword(core::ByteSource& source, const CountsOptions& options);

}  // namespace medley::data
