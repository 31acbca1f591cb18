// SPDX-License-Identifier: Apache-2.0
// LDA-C: one document per line, `N id:count id:count ...` with N pairs; ids from 0. `0` alone is an
// empty document. Counts are non-negative numbers. A blank line is an error, except at the end.
#pragma once

#include "core/files.hpp"
#include "data/formats/counts.hpp"
#include "data/raw.hpp"

namespace medley::data {

[[nodiscard]] RawCounts read_ldac(core::ByteSource& source, const CountsOptions& options);

}  // namespace medley::data
