// SPDX-License-Identifier: Apache-2.0
// svmlight / libsvm: one row per line, `label index:value index:value ... # comment`. The label is
// kept as text; `qid:` is skipped; blank and comment lines too. Indices count from 1, unless a 0
// occurs anywhere in the file: then they count from 0. Without a word list words are called by
// their index as written. Values are counts: non-negative.
#pragma once

#include "core/files.hpp"
#include "data/formats/counts.hpp"
#include "data/raw.hpp"

namespace medley::data {

[[nodiscard]] RawCounts read_svmlight(core::ByteSource& source, const CountsOptions& options);

}  // namespace medley::data
